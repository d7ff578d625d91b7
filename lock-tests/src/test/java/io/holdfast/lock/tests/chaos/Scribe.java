package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;

/** The calls of one lane, written down with their answers. */
final class Scribe {

    /** Beside what it was willing to wait, a call may take a command's timeout; the rest is for a busy machine. */
    private static final long SLACK_MILLIS = 2_500;

    final String lane;
    private final Seen.Sink sink;
    private int calls;

    Scribe(String lane, Seen.Sink sink) {
        this.lane = lane;
        this.sink = sink;
    }

    void see(Seen seen) {
        sink.see(seen);
    }

    /** A call begins; returns what its answer is known by. */
    String ask(String lock, String owner, Call call, long token, long waitMillis) {
        String id = lane + "/" + ++calls;
        sink.see(new Seen.Asked(id, lane, lock, owner, call, token, waitMillis + SLACK_MILLIS, System.nanoTime()));
        return id;
    }

    void granted(String id, long token, int count, long validUntilNanos, long nanos) {
        sink.see(new Seen.Answered(id, Outcome.OK, token, count, validUntilNanos, "", nanos));
    }

    Outcome answered(String id, Outcome outcome, String reason, long nanos) {
        sink.see(new Seen.Answered(id, outcome, 0, 0, 0, reason, nanos));
        return outcome;
    }
}
