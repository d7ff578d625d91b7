package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A small process that cleans up if this JVM is gone, however it went.
 *
 * <p>Shutdown hooks don't run when a JVM is killed with {@code kill -9}, so the clean-up has to live in another
 * process. It waits at the reading end of a pipe whose writing end only this JVM holds: the kernel closes that when
 * the JVM ends, and the clean-up runs. Closing the watch in time says {@code done} first, and it leaves quietly.
 */
final class DeathWatch implements AutoCloseable {
    /** Terminal signals go to the whole process group; the watch must outlive them, because the server may not. */
    private static final String SCRIPT =
            """
            trap '' HUP INT TERM
            read -r word && [ "$word" = done ] && exit 0
            exec "$@"
            """;

    private final Process process;

    private DeathWatch(Process process) {
        this.process = process;
    }

    /** Starts the watch, before there is anything to clean up. */
    static DeathWatch over(List<String> cleanUpCommand) {
        List<String> command = new ArrayList<>(List.of(PosixShell.EXECUTABLE, "-c", SCRIPT, "holdfast-death-watch"));
        command.addAll(cleanUpCommand);
        try {
            return new DeathWatch(PosixShell.spawn(
                    new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD)));
        } catch (IOException e) {
            throw new UncheckedIOException("can't start the process that cleans up after this JVM", e);
        }
    }

    @Override
    public void close() {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write("done\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the process that cleans up after this JVM (pid " + process.pid() + ") is gone", e);
        }
    }
}
