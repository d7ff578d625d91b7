package io.holdfast.lock.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;

/** Waits until a server that was just started answers, and tells its failures apart. */
final class Startup {
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration PATIENCE_PER_REPLY = Duration.ofSeconds(2);

    private final RedisServer server;
    private final ServerProcess process;
    private final Duration limit;

    Startup(RedisServer server, ServerProcess process, Duration limit) {
        this.server = server;
        this.process = process;
        this.limit = limit;
    }

    /**
     * Returns when the server has answered PING.
     *
     * @param logBefore how much of the log is from earlier starts
     * @throws PortTakenException when the server could not bind its port
     * @throws IllegalStateException when it ended, or did not answer in time
     */
    void await(int logBefore) {
        long startNanos = System.nanoTime();
        String lastFault = "no attempt yet";
        while (System.nanoTime() - startNanos < limit.toNanos()) {
            if (process.awaitExit(PAUSE)) {
                throw ended(process.log().substring(logBefore));
            }
            try (RawRedis connection = server.connect()) {
                connection.timeout(PATIENCE_PER_REPLY);
                connection.command("PING");
                if (isOurs(connection)) {
                    return;
                }
                lastFault = "another server answers on this port";
            } catch (RedisErrorReply | UncheckedIOException e) {
                lastFault = String.valueOf(e.getMessage());
            }
        }
        throw new IllegalStateException(server + ": does not answer after " + limit.toMillis() + " ms (" + lastFault
                + "). Its log:\n" + process.log().substring(logBefore));
    }

    /** A foreign server on the same port would answer PING too, while ours is about to fail. */
    private boolean isOurs(RawRedis connection) {
        return !process.sharesProcessIds()
                || String.valueOf(process.pid())
                        .equals(connection.info("server").get("process_id"));
    }

    private IllegalStateException ended(String log) {
        // As glibc says it, and as musl does, of which the embedded server is made.
        if (log.contains("Address already in use") || log.contains("Address in use")) {
            return new PortTakenException(server + ": port " + server.port() + " is taken. Its log:\n" + log);
        }
        return new IllegalStateException(server + ": ended before it answered. Its log:\n" + log);
    }
}
