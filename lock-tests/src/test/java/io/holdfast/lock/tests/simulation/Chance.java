package io.holdfast.lock.tests.simulation;

/** A stream of random numbers that follows from a seed (SplitMix64). */
final class Chance {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    /** @param stream tells several streams of one seed apart, so that drawing more from one leaves the others alone */
    Chance(long seed, int stream) {
        this.state = mix(seed + stream * GOLDEN_GAMMA);
    }

    /** Spreads the bits of a number over all of it. */
    static long mix(long number) {
        long mixed = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    /** From 0 (inclusive) to the bound (exclusive). */
    long below(long bound) {
        return (next() >>> 1) % bound;
    }

    int below(int bound) {
        return (int) below((long) bound);
    }

    /** Both ends inclusive. */
    long between(long least, long most) {
        return least + below(most - least + 1);
    }

    boolean percent(int percent) {
        return below(100) < percent;
    }

    /** Once in so many times. */
    boolean onceIn(int times) {
        return below(times) == 0;
    }

    private long next() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }
}
