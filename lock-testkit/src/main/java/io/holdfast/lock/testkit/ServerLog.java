package io.holdfast.lock.testkit;

import java.util.List;

/** The end of a server's log, in the shape of a throwable, so that it can be attached to a test's failure. */
final class ServerLog extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerLog(RedisServer server, int lines) {
        super(
                server + (server.isAlive() ? " (alive)" : " (dead)") + ", the end of its log:\n" + tail(server, lines),
                null,
                false,
                false);
    }

    private static String tail(RedisServer server, int lines) {
        List<String> all = server.log().lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }
}
