package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.engine.upkeep.Undoer;
import io.holdfast.lock.engine.upkeep.Watchdog;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** What the locks of one quorum share: its options, what is known of its nodes, and how long a round takes. */
public final class Quorum {

    private static final long FIRST_GUESS_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    final ClientFacts facts;
    public final QuorumOptions options;
    private final List<StoreSteps> steps;
    private final Watchdog watchdog;
    private final Undoer undoer;
    private final long commandNanos;
    final ServerClocks clocks;
    public final RestartGuard guard;

    /** For each node, how many requests have had their time and no answer. */
    private final AtomicIntegerArray overdue;

    /** A sliding mean. */
    private volatile long roundNanos = FIRST_GUESS_NANOS;

    /** @param steps by the index of their store */
    public Quorum(
            ClientFacts facts,
            QuorumOptions options,
            List<StoreSteps> steps,
            Watchdog watchdog,
            Undoer undoer,
            Retries retries) {
        this.facts = facts;
        this.options = options;
        this.steps = steps;
        this.watchdog = watchdog;
        this.undoer = undoer;
        this.commandNanos = facts.commandNanos();
        options.nodeTimeout().ifPresent(timeout -> {
            if (timeout.toNanos() >= commandNanos) {
                throw new IllegalArgumentException(
                        "nodeTimeout: " + Durations.of(timeout) + " (expected: shorter than commandTimeout, "
                                + Durations.of(Duration.ofNanos(commandNanos)) + ")");
            }
        });
        this.overdue = new AtomicIntegerArray(steps.size());
        this.clocks = new ServerClocks(steps.size());
        this.guard = new RestartGuard(facts, retries, options, clocks);
    }

    List<StoreSteps> steps() {
        return steps;
    }

    int majority() {
        return HoldLeases.majority(steps.size());
    }

    Watchdog watchdog() {
        return watchdog;
    }

    Undoer undoer() {
        return undoer;
    }

    long nodeTimeoutNanos(long leaseMillis) {
        long timeout = options.nodeTimeoutFor(Duration.ofMillis(leaseMillis)).toNanos();
        return Math.min(timeout, commandNanos - commandNanos / 4);
    }

    public long longestNodeTimeoutNanos() {
        return nodeTimeoutNanos(options.longestLease().toMillis());
    }

    // --- nodes that hang ---

    /** A request to a node had its time. */
    void isOverdue(Store store) {
        overdue.incrementAndGet(store.index());
    }

    /** A request that was overdue has got its answer, or never will. */
    void hasEnded(Store store) {
        overdue.decrementAndGet(store.index());
    }

    boolean owesAnswers(Store store) {
        return overdue.get(store.index()) > 0;
    }

    /** How many nodes owe no answer. */
    int answering() {
        int nodes = 0;
        for (int i = 0; i < overdue.length(); i++) {
            nodes += overdue.get(i) == 0 ? 1 : 0;
        }
        return nodes;
    }

    // --- time ---

    /** How long a round over the nodes takes these days. */
    long roundNanos() {
        return roundNanos;
    }

    /** A round was decided after this time. */
    void roundTook(long nanos) {
        long mean = roundNanos;
        roundNanos = mean + (nanos - mean) / 8;
    }
}
