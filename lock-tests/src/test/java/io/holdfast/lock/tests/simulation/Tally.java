package io.holdfast.lock.tests.simulation;

/** What has happened in one run or in many: seeds, events, operations, grants, losses, and faults of each kind. */
public final class Tally {

    private long seeds;
    private long events;
    private long operations;
    private long grants;
    private long losses;
    private long refusedWrites;
    private long excusedOverlaps;
    private long givenUp;
    private final long[] faults = new long[FaultKind.values().length];

    static Tally ofRun(
            long events,
            long operations,
            long grants,
            long losses,
            long refusedWrites,
            long excusedOverlaps,
            long givenUp,
            int[] faults) {
        Tally tally = new Tally();
        tally.seeds = 1;
        tally.events = events;
        tally.operations = operations;
        tally.grants = grants;
        tally.losses = losses;
        tally.refusedWrites = refusedWrites;
        tally.excusedOverlaps = excusedOverlaps;
        tally.givenUp = givenUp;
        for (int i = 0; i < faults.length; i++) {
            tally.faults[i] = faults[i];
        }
        return tally;
    }

    /** Adds another tally to this one. */
    void add(Tally other) {
        seeds += other.seeds;
        events += other.events;
        operations += other.operations;
        grants += other.grants;
        losses += other.losses;
        refusedWrites += other.refusedWrites;
        excusedOverlaps += other.excusedOverlaps;
        givenUp += other.givenUp;
        for (int i = 0; i < faults.length; i++) {
            faults[i] += other.faults[i];
        }
    }

    public long seeds() {
        return seeds;
    }

    public long events() {
        return events;
    }

    public long operations() {
        return operations;
    }

    /** How often an owner was told that it has a lock. */
    public long grants() {
        return grants;
    }

    /** How often an owner was told that it has lost one. */
    public long losses() {
        return losses;
    }

    /** How often the guarded resource refused a token. */
    public long refusedWrites() {
        return refusedWrites;
    }

    /** How often two owners held a lock at once, after a fault that breaks what exclusion rests on. */
    public long excusedOverlaps() {
        return excusedOverlaps;
    }

    /** How many histories had too many possible orders to be judged. */
    public long givenUp() {
        return givenUp;
    }

    long faults(FaultKind kind) {
        return faults[kind.ordinal()];
    }

    /** How many faults were injected in all. */
    public long faults() {
        long all = 0;
        for (long count : faults) {
            all += count;
        }
        return all;
    }
}
