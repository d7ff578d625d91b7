package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The command as a process of its own. */
final class Tool implements AutoCloseable {

    private static final long LONGEST_SECONDS = 30;

    private final Process process;
    private final Path out;
    private final Path err;

    private Tool(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static Tool start(String url, String... arguments) {
        return start(Map.of("HOLDFAST_URL", url), "", arguments);
    }

    /** Starts it with variables, and with a text as its standard input. */
    static Tool start(Map<String, String> variables, String input, String... arguments) {
        try {
            List<String> line = new ArrayList<>(List.of(
                    System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xshare:auto",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "io.holdfast.cli.Holdfast"));
            line.addAll(List.of(arguments));
            Path in = Files.writeString(Files.createTempFile("tool", ".in"), input);
            Path out = Files.createTempFile("tool", ".out");
            Path err = Files.createTempFile("tool", ".err");
            List.of(in, out, err).forEach(file -> file.toFile().deleteOnExit());
            ProcessBuilder builder = new ProcessBuilder(line)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
            builder.environment().putAll(variables);
            return new Tool(builder.start(), out, err);
        } catch (IOException refused) {
            throw new AssertionError("can't be started", refused);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Sends a signal by its name. */
    Tool signal(String name) {
        signal(name, pid());
        return this;
    }

    static void signal(String name, long pid) {
        try {
            assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError("no signal", failed);
        }
    }

    /** Waits until the output has this. */
    Tool printed(String text) {
        Awaitility.await("'" + text + "' in the output; standard error: " + err())
                .until(() -> out().contains(text));
        return this;
    }

    /** Waits for the end, and gives the exit status. */
    int status() {
        try {
            assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS))
                    .as("ended; out: %s, err: %s", out(), err())
                    .isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
        return process.exitValue();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            throw new AssertionError(file.toString(), gone);
        }
    }

    /** Ends it with all that it has started. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
