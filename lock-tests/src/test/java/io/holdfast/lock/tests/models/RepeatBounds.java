package io.holdfast.lock.tests.models;

/** How many fields a client may use on its way to another server or another connection, and what breaks. */
enum RepeatBounds implements Bounds {
    FAILOVER(3, true, 0),
    STANDSTILL(2, false, 1),
    BOTH(3, true, 1),
    LONG_BOTH(4, true, 2);

    final int fields;
    /** Whether the replica may be promoted. */
    final boolean failsOver;
    /** How many connections may break with a request in them. */
    final int breaks;

    RepeatBounds(int fields, boolean failsOver, int breaks) {
        this.fields = fields;
        this.failsOver = failsOver;
        this.breaks = breaks;
    }
}
