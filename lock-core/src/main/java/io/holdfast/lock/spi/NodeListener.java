package io.holdfast.lock.spi;

/** Hears of a backend's nodes. Called on a transport's thread; must not block. */
public interface NodeListener {

    /**
     * A connection to a node is ready for calls.
     *
     * @param runId the server process's own id, empty if unknown: a change means that the server was restarted
     */
    void up(String node, String runId);

    /** The connection to a node was lost. */
    void down(String node, Fault fault);
}
