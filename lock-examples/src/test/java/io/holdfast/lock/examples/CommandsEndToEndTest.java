package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Commands.Outcome;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of one process, once, as a user runs them. */
class CommandsEndToEndTest {

    @Tag("proof")
    @Test
    void watchdogRenewsThenTellsOfTheLoss() {
        Outcome outcome = Commands.succeed("watchdog", "--lease", "600", "--job", "1500");
        assertThat(outcome.text())
                .containsPattern("still HELD after \\d+ renewals")
                .contains("server killed", "onLost: NOT_RENEWED", "hold.state()         LOST");
    }

    @Tag("proof")
    @Test
    void watchdogDoesNotKillAUsersServer() {
        try (RedisServer server = RedisServer.start()) {
            Outcome outcome = Commands.succeed("watchdog", "--redis", server.url(), "--lease", "600", "--job", "700");
            assertThat(outcome.text()).contains("not ours to kill", "onLost: ");
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Tag("proof")
    @Test
    void asyncLosesNoUpdateHasOneWinnerAndLeavesNobodyWaiting() {
        Outcome outcome = Commands.succeed("async", "--calls", "500", "--locks", "10");
        assertThat(outcome.text()).contains("0 updates lost", "1 winner", "0 left waiting", "holdfast-async-io-1");
    }

    @Tag("proof")
    @Test
    void handleHasTheLateWriteRefused() {
        Outcome outcome = Commands.succeed("handle");
        assertThat(outcome.text()).contains("hold.state() says LOST", "refused: a newer token was seen", "value:  70");
    }

    @Test
    @Tag("proof")
    void monitorShowsTwoCommandsForAnUncontendedLock() {
        Outcome outcome = Commands.succeed("monitor");
        assertThat(outcome.text())
                .containsPattern("nobody else wants it(?s:.*?)turn-acquire (?s:.*?)turn-release (?s:.*?) 2 commands, ")
                .containsPattern("once more by the same thread(?s:.*?)reenter (?s:.*?)release (?s:.*?) 2 commands, ")
                .containsPattern("the server wakes B(?s:.*?)SUBSCRIBE(?s:.*?)turn-release (?s:.*?)B  turn-acquire ")
                .containsPattern("handed over inside A(?s:.*?)turn-transfer ");
    }

    @Test
    void doctorFindsNothingAtAHealthyServer() {
        try (RedisServer server = RedisServer.builder().aof(true).start()) {
            // A server of before 7.0 can't tell all rights.
            assertThat(Commands.succeed("doctor", server.url()).text())
                    .containsAnyOf("nothing found", "0 problems, 0 warnings, 1 note");
        }
    }

    @Test
    void doctorWarnsOfAServerWhoseRestartForgetsEveryLock() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(Commands.succeed("doctor", server.url()).text())
                    .contains("WARNING  NO_PERSISTENCE ", "restart forgets", "0 problems, 1 warning");
        }
    }

    @Test
    void doctorTellsOfAProblemWithinEightyColumns() {
        try (RedisServer server = RedisServer.builder()
                .option("maxmemory-policy", "allkeys-lru")
                .option("maxmemory", "100mb")
                .start()) {
            Outcome outcome = Commands.run("doctor", server.url());
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.text()).contains("PROBLEM  EVICTION ", "seen ", "follows ", "to do ", "1 problem");
            assertThat(outcome.text().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        }
    }

    /** Warnings alone are no reason to stop a deployment. */
    @Tag("proof")
    @Test
    void doctorHasNoObjectionToWarnings() {
        try (ReplicatedPair pair = ReplicatedPair.start()) {
            pair.awaitInStep();
            Outcome outcome = Commands.succeed("doctor", pair.url());
            assertThat(outcome.text())
                    .contains("WARNING  REPLICAS_NOT_WAITED_FOR ", "WARNING  MIN_REPLICAS_UNSET ", "0 problems");
            assertThat(outcome.text().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        }
    }

    @Tag("proof")
    @Test
    void doctorAsksEachNodeOfAQuorumWithTheOptionsOfAFile() throws Exception {
        Path options = Files.createTempFile("holdfast", ".properties");
        options.toFile().deleteOnExit();
        Files.writeString(options, "connectTimeout=30 s\nlock.prefix=shop\n");
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                RedisServer three = RedisServer.start();
                RawRedis admin = three.connect()) {
            admin.command("ACL", "SETUSER", "default", "resetkeys", "~holdfast:*");
            Outcome outcome =
                    Commands.run("doctor", "--options", options.toString(), one.url(), two.url(), three.url());
            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.text()).contains("1 problem, 3 warnings", "NO_PERSISTENCE", "~shop:*");
        }
    }

    @Test
    void doctorSaysWhatIsWrongWithItsOwnCommandLine() {
        assertThat(Commands.run("doctor").exitCode()).isEqualTo(2);
        Outcome outcome = Commands.run("doctor", "redis://127.0.0.1:1", "--options", "no-such.properties");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text()).contains("no-such.properties").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1", "redis://:secret@127.0.0.1:0", "redis://:secret@127.0.0.1/x"})
    void anAddressThatNoClientTakesIsAWrongCommandLine(String url) {
        Outcome outcome = Commands.run("doctor", url);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text())
                .contains("Usage: holdfast-examples doctor")
                .doesNotContain("\tat ")
                .doesNotContain("secret");
    }

    @Test
    void aServerWithoutASchemeIsAWrongCommandLine() {
        Outcome outcome = Commands.run("stock", "--redis", "localhost");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text())
                .contains(
                        "--redis: malformed address: it does not begin with redis://", "Usage: holdfast-examples stock")
                .doesNotContain("server: null");
    }

    @Test
    void addressesThatNoQuorumTakesAreAWrongCommandLine() {
        assertThat(Commands.run("doctor", "redis://127.0.0.1:1", "redis-sentinel://127.0.0.1:2/main")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void doctorTellsOfAServerThatIsNotThere() {
        Outcome outcome = Commands.run("doctor", "redis://127.0.0.1:1");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.text()).contains("PROBLEM  UNREACHABLE ", "127.0.0.1:1");
    }

    @Test
    @Tag("proof")
    void aServerThatIsNotThereIsNamed() {
        Outcome outcome = Commands.run("handle", "--redis", "redis://127.0.0.1:1");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.text()).contains("handle: ", "127.0.0.1:1").doesNotContain("\tat ");
    }
}
