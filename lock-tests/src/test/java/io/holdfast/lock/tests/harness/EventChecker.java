package io.holdfast.lock.tests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A listener that knows what may follow what: each call starts, waits at most once and ends once; what was acquired ends once,
 * and is renewed only before that.
 */
public final class EventChecker implements LockListener {

    private enum Stage {
        STARTED,
        WAITING,
        HELD,
        OVER
    }

    private static final Set<String> OVERTAKEN = Set.of("waiting", "acquired", "renewed", "renewal failed");

    /** What was told of one call, in order. */
    private static final class Call {

        private final String lock;
        private final Thread caller = Thread.currentThread();
        private final List<String> told = new ArrayList<>();
        private Stage stage = Stage.STARTED;
        private @Nullable LockEvent acquired;
        private boolean lost;

        Call(String lock) {
            this.lock = lock;
        }

        @Override
        public String toString() {
            return lock + " by " + caller.getName() + told;
        }
    }

    private final List<Call> calls = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final Consumer<String> atOnce;
    private final boolean lossesOvertake;

    public EventChecker() {
        this(fault -> {}, false);
    }

    /**
     * @param atOnce what is done with what was told out of turn, besides
     * @param lossesOvertake whether clients may be suspended: a loss waits for its turn no longer than a second
     */
    public EventChecker(Consumer<String> atOnce, boolean lossesOvertake) {
        this.atOnce = atOnce;
        this.lossesOvertake = lossesOvertake;
    }

    @Override
    public synchronized Object started(String lockName) {
        Call call = new Call(lockName);
        calls.add(call);
        return call;
    }

    @Override
    public void waiting(LockEvent event) {
        step("waiting", event, Set.of(Stage.STARTED), Stage.WAITING);
        if (event.position().orElse(0) < 1) {
            fault("waits at no place", event);
        }
    }

    @Override
    public void acquired(LockEvent event) {
        Call call = step("acquired", event, Set.of(Stage.STARTED, Stage.WAITING), Stage.HELD);
        if (call != null) {
            call.acquired = event;
        }
    }

    @Override
    public void reentered(LockEvent event) {
        step("reentered", event, Set.of(Stage.STARTED, Stage.WAITING), Stage.OVER);
    }

    @Override
    public void refused(LockEvent event) {
        step("refused", event, Set.of(Stage.STARTED, Stage.WAITING), Stage.OVER);
        if (event.failureReason().isEmpty()) {
            fault("refused without a reason", event);
        }
    }

    @Override
    public void transferred(LockEvent event) {
        ended("transferred", event);
    }

    @Override
    public void released(LockEvent event) {
        ended("released", event);
    }

    @Override
    public void lost(LockEvent event) {
        Set<Stage> before = lossesOvertake ? Set.of(Stage.STARTED, Stage.WAITING, Stage.HELD) : Set.of(Stage.HELD);
        Call call = ofHold("lost", event, before, Stage.OVER);
        if (call != null) {
            call.lost = true;
        }
        if (event.lossReason().isEmpty()) {
            fault("lost without a reason", event);
        }
    }

    @Override
    public void renewed(LockEvent event) {
        ofHold("renewed", event, Set.of(Stage.HELD), Stage.HELD);
    }

    @Override
    public void renewalFailed(LockEvent event) {
        ofHold("renewal failed", event, Set.of(Stage.HELD), Stage.HELD);
    }

    private void ended(String what, LockEvent event) {
        ofHold(what, event, Set.of(Stage.HELD), Stage.OVER);
    }

    private @Nullable Call ofHold(String what, LockEvent event, Set<Stage> before, Stage next) {
        Call call = step(what, event, before, next);
        if (call != null
                && call.acquired != null
                && !call.acquired.fencingToken().equals(event.fencingToken())) {
            fault(what + " with another token", event);
        }
        return call;
    }

    private synchronized @Nullable Call step(String what, LockEvent event, Set<Stage> before, Stage next) {
        if (!(event.context() instanceof Call call)) {
            fault(what + " without its context", event);
            return null;
        }
        call.told.add(what
                + event.failureReason()
                        .map(FailureReason::name)
                        .map(" "::concat)
                        .orElse(""));
        if (lossesOvertake && call.lost && OVERTAKEN.contains(what)) {
            return call;
        }
        if (!before.contains(call.stage) || !call.lock.equals(event.name())) {
            fault(what + " out of turn, after " + call, event);
        }
        call.stage = next;
        return call;
    }

    private synchronized void fault(String what, LockEvent event) {
        faults.add(what + ": " + event);
        atOnce.accept(what + ": " + event);
    }

    /** Nothing was told out of turn. */
    public synchronized void check() {
        assertThat(faults).as("events").isEmpty();
    }

    /** Every call has ended, and so has what was acquired; nothing was told out of turn. */
    public synchronized void checkAllEnded() {
        check();
        assertThat(calls).as("calls that have not ended").allMatch(call -> call.stage == Stage.OVER);
    }

    /** How many calls have started. */
    public synchronized int calls() {
        return calls.size();
    }
}
