package io.holdfast.lock;

import java.util.Optional;

/**
 * Something that happened to a connection of the client, as told to a {@link LockListener}. Not for implementing: later versions
 * tell more.
 */
public interface ConnectionEvent {

    /** The kind of event. */
    enum Change {
        /** A connection is ready. */
        UP,
        /** A connection was lost. */
        DOWN,
        /** An attempt to connect has failed. */
        UNREACHABLE,
        /** A connection is ready, and leads to another server than the one before. */
        FAILED_OVER
    }

    /** The kind of event. */
    Change change();

    /** The server concerned, by the address that the client has for it. */
    String node();

    /** The purpose of the connection. */
    ConnectionPurpose purpose();

    /** Why the connection was lost, or was not made; empty for one that is up. */
    Optional<FailureReason> failureReason();

    /** The reason in words; empty where there is none. */
    Optional<String> detail();
}
