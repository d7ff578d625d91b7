package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.examples.Commands.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {

    @Test
    void helpNamesEveryCommandForUsers() {
        Outcome help = Commands.run("--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.text())
                .contains(
                        "stock",
                        "watchdog",
                        "async",
                        "handle",
                        "monitor",
                        "redlock",
                        "failover",
                        "cluster",
                        "fair",
                        "readwrite",
                        "permits",
                        "barrier",
                        "election",
                        "doctor")
                .doesNotContain(
                        "buyer-process",
                        "failover-buyers",
                        "cluster-workers",
                        "fair-process",
                        "cache-process",
                        "permits-process",
                        "barrier-worker",
                        "candidate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stock",
                "watchdog",
                "async",
                "handle",
                "monitor",
                "fair",
                "readwrite",
                "permits",
                "barrier",
                "election"
            })
    void everyCommandExplainsItself(String command) {
        Outcome help = Commands.run(command, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.text()).contains("Usage: holdfast-examples " + command, "--redis=URL", "--plain");
    }

    @Test
    void doctorSaysWhereItHasMoved() {
        Outcome outcome = Commands.run("doctor", "--try", "redis://h");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text()).contains("holdfast-cli/bin/holdfast doctor --try redis://h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redlock", "failover", "cluster"})
    void commandsThatStartSeveralServersHaveNoUseForOneOfTheUser(String command) {
        Outcome help = Commands.run(command, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.text())
                .contains("Usage: holdfast-examples " + command, "--plain", "--lease=MILLIS")
                .doesNotContain("--redis");
    }

    @ParameterizedTest
    @CsvSource({
        "stock --items 0,         --items: 0",
        "stock --buyers 2 --processes 3, --buyers: 2",
        "stock --locks magic,     magic",
        "watchdog --lease 5,      --lease: 5",
        "async --calls 0,         --calls 0",
        "redlock --lease 5,       --lease 5",
        "failover --articles 1,   --articles: 1",
        "cluster --locks 2,       --locks: 2",
        "fair --processes 3,      --processes: 3",
        "readwrite --readers 2,   --readers: 2",
        "permits --limit 10,      --limit: 10",
        "permits --threads 1,     --threads: 1",
        "barrier --processes 1,   --processes: 1",
        "election --processes 1,  --processes: 1",
        "sell,                    sell"
    })
    void wrongArgumentsAreNamed(String arguments, String named) {
        Outcome outcome = Commands.run(arguments.split(" "));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text()).contains(named);
    }

    @Test
    void noCommandShowsTheHelp() {
        Outcome outcome = Commands.run();
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text()).contains("Commands:");
    }
}
