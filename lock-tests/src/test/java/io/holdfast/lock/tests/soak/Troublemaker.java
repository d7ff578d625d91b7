package io.holdfast.lock.tests.soak;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A thread that hurts one thing after the other, and always heals what it has hurt. */
final class Troublemaker implements Runnable {

    private static final int LONGEST_PEACE_MILLIS = 3_000;
    private static final int JVM_STOPPED_ONE_IN = 5;

    private final Random random;
    private final List<Site> sites;
    private final List<Jvm> jvms;
    private final Invariants invariants;
    private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
    private volatile boolean stopped;

    Troublemaker(long seed, List<Site> sites, List<Jvm> jvms, Invariants invariants) {
        this.random = new Random(seed);
        this.sites = sites;
        this.jvms = jvms;
        this.invariants = invariants;
    }

    @Override
    public void run() {
        while (!stopped) {
            Pause.millis(random.nextInt(LONGEST_PEACE_MILLIS));
            FaultKind kind = nextKind();
            int target = random.nextInt(kind.hurtsJvm() ? jvms.size() : sites.size());
            long lengthMillis = kind.lengthMillis(random);
            try {
                if (kind.hurtsJvm()) {
                    stop(jvms.get(target), lengthMillis);
                } else {
                    hurt(sites.get(target), kind, lengthMillis);
                }
                count(kind);
            } catch (Exception broken) {
                invariants.violation("the soak itself: " + kind + ": " + broken);
            }
        }
    }

    /** Any kind; a JVM that stands still, which is what fencing is for, more often than others. */
    private FaultKind nextKind() {
        return random.nextInt(JVM_STOPPED_ONE_IN) == 0
                ? FaultKind.JVM_STOPPED
                : FaultKind.values()[random.nextInt(FaultKind.values().length)];
    }

    /** No fault begins any more. */
    void stop() {
        stopped = true;
    }

    private void hurt(Site site, FaultKind kind, long lengthMillis) {
        site.fault.lock();
        try {
            kind.begin(site, random);
            Pause.millis(lengthMillis);
            kind.end(site);
        } finally {
            site.fault.unlock();
        }
    }

    private void stop(Jvm jvm, long lengthMillis) throws Exception {
        jvm.fault.lock();
        try {
            jvm.pause();
            Pause.millis(lengthMillis);
            jvm.resume();
        } finally {
            jvm.fault.unlock();
        }
    }

    private synchronized void count(FaultKind kind) {
        counts.merge(kind, 1, Integer::sum);
    }

    /** How many faults of this kind are over. */
    synchronized int countOf(FaultKind kind) {
        return counts.getOrDefault(kind, 0);
    }
}
