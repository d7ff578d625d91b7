package io.holdfast.lock.spi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one server says of itself, as far as this client may ask. Its texts are the server's own and are not printable yet.
 *
 * @param node the server's address, without secrets
 * @param unreachable why the server could not be asked; null if it was
 * @param info the fields of {@code INFO}; empty if that is not allowed
 * @param settings what {@code CONFIG GET} tells; empty if that is not allowed
 * @param rights what the user may run, by the names that ACL rules have for it; a right that is missing here is unknown
 * @param clock null if the server does not tell the time
 */
public record ServerReport(
        String node,
        @Nullable Fault unreachable,
        Map<String, String> info,
        Map<String, String> settings,
        Map<String, Verdict> rights,
        @Nullable Clock clock) {

    /** Whether the user may run a command. */
    public enum Verdict {
        ALLOWED,
        DENIED,
        /** The command is allowed, or may be, but none of the keys and channels that it is needed for. */
        KEYS_DENIED,
        /** The server has no command of this name. */
        ABSENT,
        UNKNOWN
    }

    /**
     * A server's time, which was read at some moment between the question and the answer.
     *
     * @param serverMicros since the epoch
     * @param askedNanos when the client asked, on its own clock
     * @param answeredNanos when the client had the answer, on its own clock
     */
    public record Clock(long serverMicros, long askedNanos, long answeredNanos) {}

    public ServerReport {
        info = Map.copyOf(info);
        settings = Map.copyOf(settings);
        rights = Map.copyOf(rights);
    }

    /** The report of a server that could not be asked. */
    public static ServerReport unreachable(String node, Fault fault) {
        return new ServerReport(node, fault, Map.of(), Map.of(), Map.of(), null);
    }

    /** A field of {@code INFO}; empty if it is unknown. */
    public String info(String field) {
        return info.getOrDefault(field, "");
    }

    public Verdict right(String name) {
        return rights.getOrDefault(name, Verdict.UNKNOWN);
    }
}
