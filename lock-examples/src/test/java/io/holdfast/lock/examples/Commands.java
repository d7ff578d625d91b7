package io.holdfast.lock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Runs the command line in this process, and keeps what it prints. */
final class Commands {

    private Commands() {}

    /** What a run of the command line gave: its exit code and everything that it printed. */
    record Outcome(int exitCode, String text) {}

    /** Runs what must not fail. */
    static Outcome succeed(String... arguments) {
        Outcome outcome = run(arguments);
        assertThat(outcome.exitCode()).as(outcome.text()).isZero();
        return outcome;
    }

    static Outcome run(String... arguments) {
        PrintStream formerOut = System.out;
        PrintStream formerErr = System.err;
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(screen, true, StandardCharsets.UTF_8);
        System.setOut(out);
        System.setErr(out);
        try {
            CommandLine commandLine = HoldfastExamples.commandLine();
            commandLine.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
            commandLine.setErr(new PrintWriter(out, true, StandardCharsets.UTF_8));
            int exitCode = commandLine.execute(arguments);
            return new Outcome(exitCode, screen.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(formerOut);
            System.setErr(formerErr);
        }
    }
}
