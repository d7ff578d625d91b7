package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Commands.Outcome;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every command, once, as a user runs it. */
class EndToEndTest {

    @Test
    void stockSellsExactlyWithHoldfastWhateverIsFrozen() {
        Outcome outcome = succeed(
                "stock",
                "--items",
                "60",
                "--buyers",
                "12",
                "--processes",
                "2",
                "--freezes",
                "1",
                "--lease",
                "500",
                "--freeze",
                "900");
        assertThat(outcome.text())
                .containsPattern("Round 1(?s:.*)Holdfast +60 +60 +0 (?s:.*)Round 2(?s:.*)Holdfast +60 +60 +0 ")
                .contains("no lock", "SETNX + GETSET", "SET NX PX", "Holdfast: exact");
    }

    @Test
    void stockLeavesNothingBehindOnAUsersServer() {
        try (RedisServer server = RedisServer.start();
                RawRedis redis = server.connect()) {
            succeed(
                    "stock",
                    "--redis",
                    server.url(),
                    "--items",
                    "10",
                    "--buyers",
                    "2",
                    "--processes",
                    "1",
                    "--freezes",
                    "0");
            assertThat(redis.command("KEYS", "*stock*")).isEqualTo(List.of());
        }
    }

    @Test
    void watchdogRenewsThenTellsOfTheLoss() {
        Outcome outcome = succeed("watchdog", "--lease", "600", "--job", "1500");
        assertThat(outcome.text())
                .containsPattern("still HELD after \\d+ renewals")
                .contains("server killed", "onLost: NOT_RENEWED", "hold.state()         LOST");
    }

    @Test
    void watchdogDoesNotKillAUsersServer() {
        try (RedisServer server = RedisServer.start()) {
            Outcome outcome = succeed("watchdog", "--redis", server.url(), "--lease", "600", "--job", "700");
            assertThat(outcome.text()).contains("not ours to kill", "onLost: ");
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void asyncLosesNoUpdateHasOneWinnerAndLeavesNobodyWaiting() {
        Outcome outcome = succeed("async", "--calls", "500", "--locks", "10");
        assertThat(outcome.text()).contains("0 updates lost", "1 winner", "0 left waiting", "holdfast-async-io-1");
    }

    @Test
    void handleHasTheLateWriteRefused() {
        Outcome outcome = succeed("handle");
        assertThat(outcome.text()).contains("hold.state() says LOST", "refused: a newer token was seen", "value:  70");
    }

    @Test
    void monitorShowsTwoCommandsForAnUncontendedLock() {
        Outcome outcome = succeed("monitor");
        assertThat(outcome.text())
                .containsPattern("nobody else wants it(?s:.*?)acquire (?s:.*?)release (?s:.*?) 2 commands, ")
                .containsPattern("once more by the same thread(?s:.*?)reenter (?s:.*?)release (?s:.*?) 2 commands, ")
                .containsPattern("the server wakes B(?s:.*?)SUBSCRIBE(?s:.*?)release (?s:.*?)B  acquire ")
                .containsPattern("handed over inside A(?s:.*?)transfer ");
    }

    @Test
    void redlockSurvivesTwoNodesTellsOfTheThirdAndComesBack() {
        Outcome outcome = succeed("redlock", "--clients", "3", "--lease", "800", "--round", "1000");
        assertThat(outcome.text())
                .contains("node 4 killed", "node 5 killed", "still held after a whole lease", "node 3 killed")
                .containsPattern(
                        "told [0-9.]+ m?s after the kill(?s:.*)NOT_RENEWED(?s:.*)node 3: (?s:.*)node 5: UNREACH")
                .contains("LockUnavailableException, NO_MAJORITY", "left out after a restart")
                .containsPattern("granted [0-9.]+ m?s after the restart")
                .contains("no update lost, tokens only increased, the loss was told, the lock came back")
                .doesNotContain("\u001b");
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        Outcome outcome = Commands.run("handle", "--redis", "redis://127.0.0.1:1");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.text()).contains("handle: ", "127.0.0.1:1").doesNotContain("\tat ");
    }

    private static Outcome succeed(String... arguments) {
        Outcome outcome = Commands.run(arguments);
        assertThat(outcome.exitCode()).as(outcome.text()).isZero();
        return outcome;
    }
}
