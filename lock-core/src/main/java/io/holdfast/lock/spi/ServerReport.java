package io.holdfast.lock.spi;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of one server about itself, as far as this client may ask. Its texts are the server's own and are not printable yet.
 *
 * @param node the server's address, without secrets
 * @param unreachable why the server could not be asked; null if it was
 * @param info the fields of {@code INFO}, and of a node of a cluster those of {@code CLUSTER INFO}; empty if that is not allowed
 * @param settings what {@code CONFIG GET} tells; empty if that is not allowed
 * @param rights what the user may run, by the names that ACL rules have for it; a right that is missing here is unknown
 * @param clock null if the server does not tell the time
 * @param share null if the server was not asked as a node of a cluster
 */
public record ServerReport(
        String node,
        @Nullable Fault unreachable,
        Map<String, String> info,
        Map<String, String> settings,
        Map<String, Verdict> rights,
        @Nullable Clock clock,
        @Nullable Share share) {

    /** The answer to whether the user may run a command. */
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

    /**
     * The part of a cluster that a node has.
     *
     * @param slots those that it is the primary of, as the client's map says; none if there is no map
     * @param failed whether the map says that a majority of the primaries calls it failed
     * @param moves the slots that are being moved from it and to it, as it says itself; null if it does not tell
     * @param failedNodes the addresses of the nodes that are failed, as it says
     */
    public record Share(List<Slots> slots, boolean failed, @Nullable List<Move> moves, List<String> failedNodes) {

        public Share {
            slots = List.copyOf(slots);
            moves = moves == null ? null : List.copyOf(moves);
            failedNodes = List.copyOf(failedNodes);
        }

        /** How many slots it is the primary of. */
        public int size() {
            return slots.stream()
                    .mapToInt(range -> range.last - range.first + 1)
                    .sum();
        }
    }

    /** Slots that follow each other, the last one included. */
    public record Slots(int first, int last) {}

    /**
     * A slot that is being moved.
     *
     * @param away whether it is on its way from the node that says so, and not to it
     * @param other the address of the other node
     */
    public record Move(int slot, boolean away, String other) {}

    public ServerReport {
        info = Map.copyOf(info);
        settings = Map.copyOf(settings);
        rights = Map.copyOf(rights);
    }

    /** The report of a server that could not be asked. */
    public static ServerReport unreachable(String node, Fault fault) {
        return unreachable(node, fault, null);
    }

    /** The same of a node of a cluster. */
    public static ServerReport unreachable(String node, Fault fault, @Nullable Share share) {
        return new ServerReport(node, fault, Map.of(), Map.of(), Map.of(), null, share);
    }

    /** A field of {@code INFO}; empty if it is unknown. */
    public String info(String field) {
        return info.getOrDefault(field, "");
    }

    public Verdict right(String name) {
        return rights.getOrDefault(name, Verdict.UNKNOWN);
    }
}
