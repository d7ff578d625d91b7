package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.spi.Runtime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds rounds back that begin before enough is known of a quorum's nodes to judge them: a client's first call would
 * otherwise find that no node counts yet.
 */
final class FirstWords {

    private final Runtime runtime;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private volatile boolean known;

    FirstWords(Runtime runtime, boolean known) {
        this.runtime = runtime;
        this.known = known;
    }

    boolean areKnown() {
        return known;
    }

    synchronized boolean areAwaited() {
        return !waiting.isEmpty();
    }

    /** Runs a round when enough is known, or when this time is over. */
    void await(long nanos, Runnable round) {
        synchronized (this) {
            waiting.add(round);
        }
        if (known) {
            begin(round);
        } else {
            runtime.after(nanos, () -> begin(round));
        }
    }

    void known() {
        List<Runnable> rounds;
        synchronized (this) {
            known = true;
            rounds = List.copyOf(waiting);
        }
        rounds.forEach(this::begin);
    }

    private void begin(Runnable round) {
        boolean waits;
        synchronized (this) {
            waits = waiting.remove(round);
        }
        if (waits) {
            round.run();
        }
    }
}
