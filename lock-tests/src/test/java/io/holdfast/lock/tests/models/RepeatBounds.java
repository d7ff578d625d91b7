package io.holdfast.lock.tests.models;

/** How many fields a client may use on its way to another server or another connection, and what breaks. */
enum RepeatBounds implements Bounds {
    FAILOVER(false, 3, true, 0),
    STANDSTILL(false, 2, false, 1),
    BOTH(false, 3, true, 1),
    LONG_BOTH(true, 4, true, 2);

    private final boolean isLong;

    final int fields;
    /** Whether the replica may be promoted. */
    final boolean failsOver;
    /** How many connections may break with a request in them. */
    final int breaks;

    RepeatBounds(boolean isLong, int fields, boolean failsOver, int breaks) {
        this.isLong = isLong;
        this.fields = fields;
        this.failsOver = failsOver;
        this.breaks = breaks;
    }

    @Override
    public boolean isLong() {
        return isLong;
    }
}
