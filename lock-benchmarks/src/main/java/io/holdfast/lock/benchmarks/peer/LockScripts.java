package io.holdfast.lock.benchmarks.peer;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Holdfast's own scripts, for peers that send them without Holdfast. They are read from the jar of lock-core. */
public final class LockScripts {

    private LockScripts() {}

    /** The text of a script, with what stands before each, and before those over several nodes. */
    public static String text(String script) {
        String shared = script.equals("propose") ? read("nodes") + "\n" : "";
        return read("common") + "\n" + shared + read(script);
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

    private static String read(String script) {
        String path = "/io/holdfast/lock/engine/" + script + ".lua";
        try (InputStream in = Objects.requireNonNull(LockClient.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("can't read " + path, unreadable);
        }
    }
}
