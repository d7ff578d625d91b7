package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Commands.Outcome;
import io.holdfast.lock.testkit.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
    void aServerWithoutASchemeIsAWrongCommandLine() {
        Outcome outcome = Commands.run("stock", "--redis", "localhost");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text())
                .contains(
                        "--redis: malformed address: it does not begin with redis://", "Usage: holdfast-examples stock")
                .doesNotContain("server: null");
    }

    @Test
    @Tag("proof")
    void aServerThatIsNotThereIsNamed() {
        Outcome outcome = Commands.run("handle", "--redis", "redis://127.0.0.1:1");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.text()).contains("handle: ", "127.0.0.1:1").doesNotContain("\tat ");
    }
}
