package io.holdfast.lock.tests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

    /** What was told of one call, in order. */
    private static final class Call {

        private final String lock;
        private final Thread caller = Thread.currentThread();
        private final List<String> told = new ArrayList<>();
        private Stage stage = Stage.STARTED;
        private @Nullable LockEvent acquired;

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
        ended("lost", event);
        if (event.lossReason().isEmpty()) {
            fault("lost without a reason", event);
        }
    }

    @Override
    public void renewed(LockEvent event) {
        ofHold("renewed", event, Stage.HELD);
    }

    @Override
    public void renewalFailed(LockEvent event) {
        ofHold("renewal failed", event, Stage.HELD);
    }

    private void ended(String what, LockEvent event) {
        ofHold(what, event, Stage.OVER);
    }

    private void ofHold(String what, LockEvent event, Stage next) {
        Call call = step(what, event, Set.of(Stage.HELD), next);
        if (call != null
                && call.acquired != null
                && !call.acquired.fencingToken().equals(event.fencingToken())) {
            fault(what + " with another token", event);
        }
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
        if (!before.contains(call.stage) || !call.lock.equals(event.name())) {
            fault(what + " out of turn, after " + call, event);
        }
        call.stage = next;
        return call;
    }

    private synchronized void fault(String what, LockEvent event) {
        faults.add(what + ": " + event);
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
