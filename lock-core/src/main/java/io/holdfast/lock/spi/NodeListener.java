package io.holdfast.lock.spi;

import java.util.BitSet;

/** Hears of a backend's nodes. Called on a transport's thread; must not block. */
public interface NodeListener {

    /**
     * A connection to a node is ready for calls.
     *
     * @param run the server process: another one than before means that the server was restarted
     */
    void up(String node, ServerRun run);

    /** Calls of these slots go to another node than before: it may not know what the one before has granted. */
    default void led(BitSet slots) {}

    /** The connection to a node was lost. */
    void down(String node, Fault fault);

    /** An attempt to connect to a node has failed. */
    default void unreachable(String node, Fault fault) {}
}
