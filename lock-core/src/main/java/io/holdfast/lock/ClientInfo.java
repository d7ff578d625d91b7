package io.holdfast.lock;

import java.time.Instant;

/**
 * A client's record of itself at the store, by which a holder's id leads to a process. Not for implementing: later
 * versions tell more.
 */
public interface ClientInfo {

    /** The client's id: the first part of its owners. */
    String id();

    /** The name of the application; the empty text if it has not said so. */
    String application();

    /** The machine's name, as the process knows it. */
    String host();

    /** The number of its process on that machine. */
    long processId();

    /** The version of Holdfast. */
    String version();

    /** When the client began, by its machine's clock. */
    Instant since();
}
