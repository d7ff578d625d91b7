package io.holdfast.lock.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs as a child process in a temporary directory of its own.
 *
 * <p>The server is started by a shell that first writes its process id down and then turns into the server. So there
 * is no moment in which the server runs and the {@link DeathWatch} doesn't know it.
 */
final class LocalServerProcess implements ServerProcess {
    private static final String CONFIG_FILE = "server.conf";
    private static final String LOG_FILE = "server.log";

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    private static final String LAUNCH = """
            echo $$ > "$1" && shift && exec "$@"
            """;

    /** Looks three times: a server that was just being started appears, or finds its directory gone, meanwhile. */
    private static final String CLEAN_UP =
            """
            PATH=/usr/bin:/bin:$PATH
            for pause in 0 1 1; do
              sleep $pause
              for file in "$1"/*.pid; do
                read -r pid < "$file" && kill -9 "$pid"
              done
              rm -rf -- "$1"
            done
            """;

    private final Path directory;
    private final DeathWatch deathWatch;
    private final Path executable;
    private final ServerMode mode;
    private @Nullable Process process;
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);
    private int starts;

    private LocalServerProcess(Path directory, DeathWatch deathWatch, Path executable, ServerMode mode) {
        this.directory = directory;
        this.deathWatch = deathWatch;
        this.executable = executable;
        this.mode = mode;
    }

    static LocalServerProcess prepare(LocalInstallation.Binary binary, RedisVersion version, ServerConfig config) {
        try {
            Path directory = Files.createTempDirectory("holdfast-redis-" + config.port() + "-");
            DeathWatch deathWatch = DeathWatch.over(
                    List.of(PosixShell.EXECUTABLE, "-c", CLEAN_UP, "holdfast-clean-up", directory.toString()));
            Files.writeString(
                    directory.resolve(CONFIG_FILE), config.file(version, FreePorts.HOST, directory.toString()));
            for (Map.Entry<String, String> file : config.files().entrySet()) {
                Files.writeString(directory.resolve(file.getKey()), file.getValue());
            }
            return new LocalServerProcess(directory, deathWatch, binary.executable(directory), config.mode());
        } catch (IOException e) {
            throw new UncheckedIOException("can't prepare a directory for the server on port " + config.port(), e);
        }
    }

    @Override
    public void start() {
        Path pidFile = directory.resolve(++starts + ".pid");
        try {
            Process started = PosixShell.spawn(new ProcessBuilder(command(pidFile))
                    .directory(directory.toFile())
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(
                            Redirect.appendTo(directory.resolve(LOG_FILE).toFile())));
            process = started;
            ended = started.onExit().thenRun(() -> forget(pidFile));
        } catch (IOException e) {
            throw new UncheckedIOException("can't start " + executable, e);
        }
    }

    private List<String> command(Path pidFile) {
        List<String> command = new ArrayList<>(List.of(
                PosixShell.EXECUTABLE,
                "-c",
                LAUNCH,
                "holdfast-redis",
                pidFile.toString(),
                executable.toString(),
                directory.resolve(CONFIG_FILE).toString()));
        if (!mode.flag().isEmpty()) {
            command.add(mode.flag());
        }
        return command;
    }

    @Override
    public void signal(Signal signal) {
        Process target = started();
        if (signal == Signal.KILL) {
            target.destroyForcibly();
            if (!awaitExit(KILL_LIMIT)) {
                throw new IllegalStateException("process " + target.pid() + " still exists after SIGKILL");
            }
            return;
        }
        PosixShell.signal(signal, target.pid());
        while (signal == Signal.STOP && target.isAlive() && !PosixShell.isStopped(target.pid())) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    @Override
    public boolean awaitExit(Duration limit) {
        try {
            ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("can't tell that the server in " + directory + " has ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the server's end", e);
        }
    }

    @Override
    public long pid() {
        return started().pid();
    }

    @Override
    public String host() {
        return FreePorts.HOST;
    }

    @Override
    public boolean sharesProcessIds() {
        return true;
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public String log() {
        try {
            return Files.readString(directory.resolve(LOG_FILE), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the log of the server in " + directory, e);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            signal(Signal.KILL);
        }
        deleteDirectory();
        deathWatch.close();
    }

    /** A process id that is free again may soon belong to another process, which must not be killed. */
    private static void forget(Path pidFile) {
        try {
            Files.deleteIfExists(pidFile);
        } catch (IOException e) {
            throw new UncheckedIOException("can't delete " + pidFile, e);
        }
    }

    private void deleteDirectory() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            throw new IllegalStateException("another process deleted " + directory, e);
        } catch (IOException e) {
            throw new UncheckedIOException("can't delete " + directory, e);
        }
    }

    private Process started() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException("the server in " + directory + " was never started");
        }
        return current;
    }
}
