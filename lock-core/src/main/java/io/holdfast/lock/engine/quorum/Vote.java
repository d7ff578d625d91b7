package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ScriptCall;
import org.jspecify.annotations.Nullable;

/** What one node says in a round. Belongs to the cell's steps. */
final class Vote {

    enum Answer {
        NONE,
        GRANTED,
        REFUSED,
        FAILED
    }

    final Store store;
    final Seat seat;
    final StoreLease lease;

    /** The request to the node; null before it is sent. */
    @Nullable
    ScriptCall ask;

    Answer answer = Answer.NONE;
    /** Whether the time for an answer is over. */
    boolean overdue;

    long token;
    boolean adopting;
    long timeToLiveMillis;
    String holder = "";

    @Nullable
    Fault fault;

    /** In how long a node that is left out counts; negative if it is not left out, or that is not known. */
    long quarantineNanos = -1;

    String said = "no answer yet";

    Vote(Store store) {
        this.store = store;
        this.seat = new Seat(store);
        this.lease = seat.lease();
    }

    /** The steps of locks at the node. */
    StoreSteps at(Quorum quorum) {
        return quorum.steps().get(store.index());
    }

    /** The node has definitely not granted. */
    void fail(String why) {
        answer = Answer.FAILED;
        said = why;
        lease.refuse(why);
    }

    /** What the node says does not count, for so long. */
    void leaveOut(String why, long nanos) {
        fail(why);
        quarantineNanos = nanos;
    }

    boolean isAwaited() {
        return answer == Answer.NONE && !overdue;
    }

    boolean hasGranted() {
        return answer == Answer.GRANTED;
    }

    boolean hasRefused() {
        return answer == Answer.REFUSED;
    }

    boolean mayHaveGranted() {
        return lease.mayBeThere();
    }

    /** Takes the request back unless it was written; true if the node has not granted and will not. */
    boolean takeBack() {
        return (ask != null && ask.takeBack()) || !mayHaveGranted();
    }
}
