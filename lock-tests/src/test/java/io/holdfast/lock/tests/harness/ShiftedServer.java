package io.holdfast.lock.tests.harness;

import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server process that lives by a {@link ShiftedClock}. It ends with {@link #close()}, and with this JVM. */
public final class ShiftedServer implements AutoCloseable {

    /** The shell ends the server when its input ends, which it does when this JVM ends in whatever way. */
    private static final String LAUNCH = "\"$@\" > /dev/null & server=$!; cat > /dev/null; kill -9 $server";

    private final Process shell;
    private final Path program;
    private final ShiftedClock clock;
    private final int port;

    private ShiftedServer(Process shell, Path program, ShiftedClock clock, int port) {
        this.shell = shell;
        this.program = program;
        this.clock = clock;
        this.port = port;
    }

    /** Starts the same program as another server's, with a clock that is so far ahead. */
    public static ShiftedServer like(RedisServer other, Path directory, Duration ahead)
            throws IOException, InterruptedException {
        ShiftedClock clock = ShiftedClock.in(directory);
        clock.set(ahead);
        int port = freePort();
        Path program = program(other, directory.resolve("redis-server-" + port));
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        "/bin/sh",
                        "-c",
                        LAUNCH,
                        "shifted-server",
                        program.toString(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--dir",
                        directory.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(clock.environment());
        ShiftedServer server = new ShiftedServer(builder.start(), program, clock, port);
        await().pollInterval(Duration.ofMillis(10)).until(server::answers);
        return server;
    }

    /** By a name like the one that it is known under: one file may be several programs, which look at their name. */
    private static Path program(RedisServer server, Path link) throws IOException {
        String file = ProcessHandle.of(server.pid())
                .flatMap(process -> process.info().command())
                .orElseThrow(() -> new IllegalStateException("what does process " + server.pid() + " run?"));
        return Files.createSymbolicLink(link, Path.of(file));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private boolean answers() {
        try (RawRedis connection = connect()) {
            return "PONG".equals(connection.command("PING"));
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public RawRedis connect() {
        return RawRedis.connect("127.0.0.1", port);
    }

    /** Steps the clock. */
    public void set(Duration ahead) throws IOException {
        clock.set(ahead);
    }

    /** The server's time of day. */
    public Duration time() {
        try (RawRedis connection = connect()) {
            List<String> time = connection.list("TIME");
            return Duration.ofSeconds(Long.parseLong(time.get(0))).plusNanos(1_000 * Long.parseLong(time.get(1)));
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        shell.getOutputStream().close();
        if (!shell.waitFor(10, TimeUnit.SECONDS)) {
            shell.destroyForcibly();
        }
        Files.delete(program);
    }
}
