package io.holdfast.lock;

/** A look at one connection of a client. Not for implementing: later versions tell more. */
public interface ConnectionInfo {

    /** The server to which it leads, or led last: by the address that the client has for it. */
    String node();

    /** The purpose of the connection. */
    ConnectionPurpose purpose();

    /** True if it is ready for calls. */
    boolean up();

    /**
     * How many calls for locks wait to be sent, because the connection is down, or because as many are on their way as may be at
     * once: {@link ClientOptions#queueLimit} bounds them. What goes past the queue, as renewals and releases do, is not counted, nor
     * is what was sent and has no answer yet. 0 for whatever is not for {@link ConnectionPurpose#COMMANDS}.
     */
    int queued();
}
