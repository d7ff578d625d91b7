package io.holdfast.lock.engine.election;

import io.holdfast.lock.LockException;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.wait.Ticket;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call that wants to lead: an ordinary acquisition, of which this is the result, and a proclamation. The caller hears of its
 * leadership when both are done.
 *
 * <p>Whatever comes between the grant and the caller gives the lock back: the caller has given up, the proclamation has failed, or
 * no answer to it came. A hold that was lost meanwhile is the campaign's failure.
 */
final class Campaign extends Pending<Optional<Hold>> implements Query.Hearer<Boolean> {

    private final EngineElection election;
    private final String id;
    private final byte[] value;
    private final long startNanos;
    private final long waitNanos;
    private final Pending<Optional<EngineLeadership>> result;

    private @Nullable Ticket ticket;
    /** Null until the lock is granted. */
    private volatile @Nullable EngineLeadership elected;

    Campaign(
            EngineElection election,
            String id,
            byte[] value,
            long waitNanos,
            Pending<Optional<EngineLeadership>> result) {
        this.election = election;
        this.id = id;
        this.value = value;
        this.startNanos = election.work.facts.nanos();
        this.waitNanos = waitNanos;
        this.result = result;
    }

    void start() {
        ticket = election.lock.begin(
                election.lock.newOwner(), LeaseTerm.unnamed(election.lock.options), waitNanos, null, this);
    }

    /** The caller has given up; its result is abandoned already. */
    void withdraw() {
        Ticket wanting = ticket;
        if (abandon() && wanting != null) {
            election.lock.withdraw(wanting);
        } else {
            giveBack();
        }
    }

    @Override
    public void onMadeToWait() {
        result.onMadeToWait();
    }

    /** The acquisition has ended. */
    @Override
    public void onSettled() {
        Throwable failure = failure();
        if (failure != null) {
            result.fail(failure);
        } else if (value().isEmpty()) {
            result.complete(Optional.empty());
        } else {
            proclaim(value().get());
        }
    }

    private void proclaim(Hold hold) {
        EngineLeadership leadership = new EngineLeadership(election, id, value, hold);
        elected = leadership;
        if (result.isSettled()) {
            leadership.giveBack();
            return;
        }
        hold.whenLost(loss -> result.fail(Failures.lost(loss)));
        leadership.proclaim(election.work.proclaimDueNanos(startNanos, waitNanos), this);
    }

    @Override
    public void answered(Boolean holds, boolean repeated) {
        EngineLeadership leadership = elected;
        if (leadership == null) {
            return;
        }
        if (!holds) {
            leadership.isGone("when its leader was to be proclaimed", result);
            return;
        }
        leadership.begin();
        if (!result.complete(Optional.of(leadership))) {
            leadership.giveBack();
        }
    }

    @Override
    public void failed(LockException failure) {
        giveBack();
        result.fail(failure);
    }

    private void giveBack() {
        EngineLeadership leadership = elected;
        if (leadership != null) {
            leadership.giveBack();
        }
    }
}
