package io.holdfast.lock;

/** A look at one connection of a client. Not for implementing: later versions tell more. */
public interface ConnectionInfo {

    /** The server to which it leads, or led last: by the address that the client has for it. */
    String node();

    /** What it is for. */
    ConnectionPurpose purpose();

    /** Whether it is ready for calls. */
    boolean up();

    /** How many calls wait to be sent on it. */
    int queued();
}
