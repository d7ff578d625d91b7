package io.holdfast.lock.testkit;

/** What a server process is started as. */
public enum ServerMode {
    /** A server for itself, or a replica of one. */
    STANDALONE(""),
    /** A node in cluster mode, and the only one: it has all slots. */
    CLUSTER(""),
    /** A Sentinel, which watches no server yet. */
    SENTINEL("--sentinel");

    private final String flag;

    ServerMode(String flag) {
        this.flag = flag;
    }

    /** What stands behind the configuration file on the command line; empty for nothing. */
    String flag() {
        return flag;
    }
}
