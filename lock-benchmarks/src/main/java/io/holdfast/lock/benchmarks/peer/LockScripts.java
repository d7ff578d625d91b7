package io.holdfast.lock.benchmarks.peer;

import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.testkit.RawRedis;
import java.net.URI;
import java.util.Objects;

/** Holdfast's own scripts, for peers that send them without Holdfast. */
public final class LockScripts {

    private LockScripts() {}

    /** The text of a script, as servers get it from Holdfast, but for the number of the request. */
    public static String text(String script) {
        return Clients.scripts().stream()
                .filter(each -> each.name().equals(script))
                .findFirst()
                .orElseThrow()
                .source();
    }

    /** Makes a script known to a server and returns its digest. */
    public static String load(RawRedis server, String script) {
        return Objects.requireNonNull(server.text("SCRIPT", "LOAD", text(script)));
    }

    /** As {@link #load(RawRedis, String)}, over a connection for this purpose. */
    public static String load(URI server, String script) {
        try (RawRedis connection = RawRedis.connect(server.getHost(), server.getPort())) {
            return load(connection, script);
        }
    }
}
