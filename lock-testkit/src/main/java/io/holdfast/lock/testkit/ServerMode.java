package io.holdfast.lock.testkit;

/** What a server process is started as. */
public enum ServerMode {
    /** A server for itself, or a replica of one. */
    STANDALONE(""),
    /** A node in cluster mode, and the only one: it has all slots. */
    CLUSTER(""),
    /** A node in cluster mode that knows no other node and has no slots yet. */
    CLUSTER_NODE(""),
    /** A Sentinel, which watches no server yet. */
    SENTINEL("--sentinel");

    private final String flag;

    ServerMode(String flag) {
        this.flag = flag;
    }

    /** Whether other nodes of a cluster come too, to a port beside that of the clients. */
    boolean isClustered() {
        return this == CLUSTER || this == CLUSTER_NODE;
    }

    /** What stands behind the configuration file on the command line; empty for nothing. */
    String flag() {
        return flag;
    }
}
