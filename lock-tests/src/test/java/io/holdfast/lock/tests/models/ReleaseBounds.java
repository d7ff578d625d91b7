package io.holdfast.lock.tests.models;

/** Who takes and releases permits, and how much goes wrong. */
enum ReleaseBounds implements Bounds {
    KEEPERS(2, 0, 0, 0, false),
    FAILOVER(2, 0, 0, 0, true),
    STRAY(2, 0, 0, 2, false),
    HANDED(0, 3, 0, 0, false),
    HANDED_FAILOVER(0, 3, 0, 0, true),
    ASYNC(0, 0, 3, 0, false),
    MIXED(1, 1, 1, 0, false),
    MIXED_FAILOVER(1, 1, 1, 0, true);

    static final int LIMIT = 2;
    static final int PERMITS = 5;
    static final int LOSSES = 2;

    /** Calls whose thread takes and releases. */
    final int keepers;
    /** Calls that one thread takes, and whose permits threads release that take none. */
    final int handed;
    /** Asynchronous calls. */
    final int async;
    /** Releases by a thread that has taken none, which are due to no call. */
    final int strays;
    /** Whether a loss takes some permits, and the client hears of it before anything is granted; else all, and it has to find out. */
    final boolean failover;

    ReleaseBounds(int keepers, int handed, int async, int strays, boolean failover) {
        this.keepers = keepers;
        this.handed = handed;
        this.async = async;
        this.strays = strays;
        this.failover = failover;
    }

    int calls() {
        return keepers + handed + async;
    }

    /** Whether all calls are released by the thread that took. */
    boolean onlyKeepers() {
        return keepers == calls() && strays == 0;
    }

    /** Whether none is. */
    boolean noKeepers() {
        return keepers == 0;
    }
}
