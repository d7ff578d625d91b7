package io.holdfast.lock.testkit;

import java.time.Duration;

/**
 * What can be done to the bytes between clients and a server: on a {@link FaultProxy} for every connection, present and
 * to come, on a {@link FaultProxy.Link} for one.
 *
 * <p>Each operation is in force when it returns: not one byte passes by the earlier rule afterwards. Requests are what
 * the client sends, replies (and pushed messages) what the server sends; each direction has a rule of its own.
 */
public interface Faults {
    /**
     * Loses what the client sends, the end of its connection included. The server never hears of it.
     *
     * <p>No real network goes on after losing bytes in the middle of a stream, so {@link #heal()} cuts a connection that
     * has lost any.
     */
    void swallowRequests();

    /** Loses what the server sends, the end of its connection included: the server executes, and the client is not told. */
    void swallowReplies();

    /** Keeps what the client sends; {@link #heal()} delivers it, late. */
    void holdRequests();

    /** Keeps what the server sends; {@link #heal()} delivers it, late. */
    void holdReplies();

    /**
     * Keeps both directions, as a network that drops every packet: connections stay half-open, and new ones are
     * accepted and never answered. {@link #heal()} delivers everything late, as retransmission would.
     */
    default void blackhole() {
        holdRequests();
        holdReplies();
    }

    /** Lets every byte from the client arrive this much later, in order. Zero ends the delay. */
    void delayRequests(Duration delay);

    /** Lets every byte from the server arrive this much later, in order. Zero ends the delay. */
    void delayReplies(Duration delay);

    /**
     * Lets a rule decide what becomes of each whole message from the client: this request is delayed, that one arrives
     * twice, after so many bytes of the third the connection ends. It replaces the rule before.
     */
    void onRequest(FrameRule rule);

    /** As {@link #onRequest}, for what the server sends. */
    void onReply(FrameRule rule);

    /** Ends every fault. What was held or delayed is delivered at once; connections that lost bytes are cut. */
    void heal();

    /** How many bytes went which way so far. */
    Traffic traffic();
}
