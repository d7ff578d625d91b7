package io.holdfast.lock.spi;

import io.holdfast.lock.text.Printable;
import java.util.Objects;

/**
 * How one connection of a backend stands.
 *
 * @param node the server to which it leads, or led last, made printable
 * @param use what it is for
 * @param up whether it is ready
 * @param queued how many calls wait to be sent on it
 */
public record NodeConnection(String node, Use use, boolean up, int queued) {

    /** The purpose of a connection of a backend. */
    public enum Use {
        /** Script calls. */
        COMMANDS,
        /** Published messages. */
        MESSAGES,
        /** Questions about replicas. */
        REPLICAS,
        /** Questions to a Sentinel. */
        SENTINEL
    }

    public NodeConnection {
        node = Printable.of(Objects.requireNonNull(node, "node"));
        Objects.requireNonNull(use, "use");
    }
}
