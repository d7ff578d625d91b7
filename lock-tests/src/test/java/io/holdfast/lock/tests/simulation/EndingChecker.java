package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** LV: every call ends within its bound, and in the end all have. */
final class EndingChecker {

    /** Timers and executors are a little late, and clocks drift. */
    private static final long SLACK_NANOS = 400_000_000L;

    private final Complaints complaints;
    private final List<Call> open = new ArrayList<>();

    EndingChecker(Complaints complaints) {
        this.complaints = complaints;
    }

    void began(Call call) {
        for (Call other : open) {
            if (other.client == call.client && other.lock == call.lock) {
                other.joined |= call.wantsLock();
                if (!call.owner.isEmpty() && other.owner.equals(call.owner)) {
                    other.crowded = true;
                    call.crowded = true;
                }
            }
        }
        open.add(call);
    }

    /** @param runningNanos how long its client was running in between */
    void ended(Call call, long runningNanos) {
        call.over = true;
        open.remove(call);
        if (call.boundNanos != Call.UNLIMITED && runningNanos > call.boundNanos + call.boundNanos / 10 + SLACK_NANOS) {
            complaints.broken(
                    "LV",
                    call + ": ended after " + millis(runningNanos) + " ms (expected: within " + millis(call.boundNanos)
                            + " ms)");
        }
    }

    /** The calls of a process end with it. */
    void crashed(SimulatedClient client) {
        open.removeIf(call -> call.client == client);
    }

    List<Call> open() {
        return open;
    }

    /**
     * Everything should be over by now.
     *
     * @param mayGoOn whether a call need not be
     */
    void allEnded(Predicate<Call> mayGoOn) {
        List<Call> left = open.stream().filter(mayGoOn.negate()).toList();
        if (!left.isEmpty()) {
            complaints.broken("LV", left.get(0) + ": has not ended, and " + (left.size() - 1) + " others");
        }
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
