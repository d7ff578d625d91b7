package io.holdfast.lock.spi;

/** Hears of a backend's nodes. Called on a transport's thread; must not block. */
public interface NodeListener {

    /**
     * A connection to a node is ready for calls.
     *
     * @param run the server process: another one than before means that the server was restarted
     */
    void up(String node, ServerRun run);

    /** The connection to a node was lost. */
    void down(String node, Fault fault);

    /** An attempt to connect to a node has failed. */
    default void unreachable(String node, Fault fault) {}
}
