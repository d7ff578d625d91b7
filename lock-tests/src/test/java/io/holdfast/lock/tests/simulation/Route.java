package io.holdfast.lock.tests.simulation;

/**
 * The network between one connection's ends, for as long as the client tries to have that connection. What is sent keeps
 * its order and takes its time; it can be held up in either direction, for TCP loses nothing as long as a connection
 * lives.
 */
final class Route {

    private static final long LEAST_LATENCY_NANOS = 40_000;
    private static final long MOST_LATENCY_NANOS = 400_000;
    private static final long MOST_LATE_NANOS = 60_000_000;
    private static final int LATE_ONCE_IN = 48;
    private static final long LEAST_FAR_NANOS = 2_000_000;
    private static final long MOST_FAR_NANOS = 40_000_000;

    private final World world;
    private final Chance chance;
    private final boolean far;
    private long extraNanos;
    private long requestsHeldUntilNanos;
    private long answersHeldUntilNanos;
    private long cutOffUntilNanos;

    /** @param far whether even the quickest packet takes milliseconds */
    Route(World world, Chance chance, boolean far) {
        this.far = far;
        this.world = world;
        this.chance = chance;
    }

    /** How long the next packet takes. */
    long latency() {
        long usual = chance.onceIn(LATE_ONCE_IN)
                ? chance.below(MOST_LATE_NANOS)
                : far
                        ? chance.between(LEAST_FAR_NANOS, MOST_FAR_NANOS)
                        : chance.between(LEAST_LATENCY_NANOS, MOST_LATENCY_NANOS);
        return extraNanos == 0 ? usual : usual + chance.below(extraNanos);
    }

    // --- faults ---

    void slow(long mostExtraNanos) {
        extraNanos = mostExtraNanos;
    }

    void holdRequests(long nanos) {
        requestsHeldUntilNanos = Math.max(requestsHeldUntilNanos, world.nanos() + nanos);
    }

    void holdAnswers(long nanos) {
        answersHeldUntilNanos = Math.max(answersHeldUntilNanos, world.nanos() + nanos);
    }

    /** Nothing gets through in either direction, and nobody is told. */
    void cutOff(long nanos) {
        holdRequests(nanos);
        holdAnswers(nanos);
        cutOffUntilNanos = Math.max(cutOffUntilNanos, world.nanos() + nanos);
    }

    void heal() {
        extraNanos = 0;
        requestsHeldUntilNanos = 0;
        answersHeldUntilNanos = 0;
        cutOffUntilNanos = 0;
    }

    // --- what follows ---

    /** When the next request gets through: now, or later. */
    long requestsFlowAt() {
        return Math.max(requestsHeldUntilNanos, world.nanos());
    }

    long answersFlowAt() {
        return Math.max(answersHeldUntilNanos, world.nanos());
    }

    boolean isCutOff() {
        return cutOffUntilNanos > world.nanos();
    }

    boolean isUndisturbed() {
        return extraNanos == 0 && requestsHeldUntilNanos <= world.nanos() && answersHeldUntilNanos <= world.nanos();
    }
}
