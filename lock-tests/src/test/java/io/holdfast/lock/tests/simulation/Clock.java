package io.holdfast.lock.tests.simulation;

/** A clock that runs a little too fast or too slow, may be set, and may stand still. */
final class Clock {

    private static final long MILLION = 1_000_000;

    private final World world;
    private long sinceWorldNanos;
    private long sinceNanos;
    private long driftPerMillion;
    private boolean standing;

    /** @param driftPerMillion how many seconds it gains in a million */
    Clock(World world, long startNanos, long driftPerMillion) {
        this.world = world;
        this.sinceWorldNanos = world.nanos();
        this.sinceNanos = startNanos;
        this.driftPerMillion = driftPerMillion;
    }

    long nanos() {
        if (standing) {
            return sinceNanos;
        }
        long passed = world.nanos() - sinceWorldNanos;
        return sinceNanos + passed + passed * driftPerMillion / MILLION;
    }

    /** How long it takes until this clock has moved on so far; rounded up, for no timer may come early. */
    long worldNanos(long ownNanos) {
        return driftPerMillion == 0 ? ownNanos : ownNanos * MILLION / (MILLION + driftPerMillion) + 1;
    }

    void step(long nanos) {
        settle();
        sinceNanos += nanos;
    }

    void drift(long perMillion) {
        settle();
        driftPerMillion = perMillion;
    }

    void stand(boolean still) {
        settle();
        standing = still;
    }

    boolean isStanding() {
        return standing;
    }

    private void settle() {
        sinceNanos = nanos();
        sinceWorldNanos = world.nanos();
    }
}
