package io.holdfast.lock.testkit;

import io.holdfast.lock.testkit.ServerProcess.Signal;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** The few things that Java can't do to a process by itself, done with {@code sh}. */
final class PosixShell {
    static final String EXECUTABLE = "/bin/sh";

    private PosixShell() {}

    static void requirePresent() throws SourceUnavailableException {
        if (!Files.isExecutable(Path.of(EXECUTABLE))) {
            throw new SourceUnavailableException(
                    "there is no " + EXECUTABLE + ", which is needed to pause servers and to clean up after them");
        }
    }

    /**
     * Starts a process. It takes turns with {@link #writeExecutable}: a process that is just being started has a copy of
     * every open file for a moment, and no program can be run while a process has it open for writing.
     */
    static synchronized Process spawn(ProcessBuilder builder) throws IOException {
        return builder.start();
    }

    static synchronized void writeExecutable(InputStream bytes, Path file) throws IOException {
        Files.copy(bytes, file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /**
     * Signals a process. The shell's own {@code kill} is used: slim images have no other.
     *
     * @throws IllegalStateException when there is no such process
     */
    static void signal(Signal signal, long pid) {
        output(EXECUTABLE, "-c", "kill -" + signal + " " + pid);
    }

    /** Whether a process is stopped, as {@code SIGSTOP} does it. */
    static boolean isStopped(long pid) {
        Path status = Path.of("/proc", String.valueOf(pid), "stat");
        try {
            if (Files.exists(status)) {
                String line = Files.readString(status, StandardCharsets.ISO_8859_1);
                return line.charAt(line.lastIndexOf(')') + 2) == 'T';
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the state of process " + pid, e);
        }
        return output("ps", "-o", "stat=", "-p", String.valueOf(pid)).strip().startsWith("T");
    }

    /** Whether a command is found on the {@code PATH}. */
    static boolean hasCommand(String name) {
        return find(System.getenv().getOrDefault("PATH", ""), name).isPresent();
    }

    /** The first executable of that name on a search path. */
    static Optional<Path> find(String searchPath, String name) {
        return Arrays.stream(searchPath.split(Pattern.quote(File.pathSeparator)))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /**
     * What a command prints, on both of its outputs.
     *
     * @throws IllegalStateException when it fails
     */
    static String output(String... command) {
        String shown = String.join(" ", command);
        try {
            Process process = spawn(new ProcessBuilder(command)
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true));
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                throw new IllegalStateException(shown + ": exit status " + status + ": " + printed.strip());
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(shown + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(shown + ": interrupted", e);
        }
    }
}
