package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Verb;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Regains for one hold over a quorum the nodes that it lacks (rule 73), and tells nodes what they have missed of its steps.
 *
 * <p>A node that refused the hold, was away or was restarted without it is asked to join it, once in a renewal period; where
 * another field had the lock, also when a message or that field's lease says that it may be gone. A node whose grant came
 * late, or which did not answer a re-entry, hears of the present count and lease.
 *
 * <p>None of this delays the hold's other steps, and none of it creates a hold: a join is sent only while a majority of the
 * <em>other</em> nodes makes the hold valid. Everything here runs within the cell's gate.
 */
final class Joins {

    private static final int LOOKS_PER_PERIOD = 4;
    private static final int SPREAD_PART = 8;
    /** A hold of a shorter lease is over before a node that joins could help it. */
    private static final long SHORTEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long AFTER_EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Quorum quorum;
    private final LockCell cell;
    private final Hold hold;
    private final QuorumLeases leases;

    private @Nullable Timer nextLook;
    private boolean ended;

    Joins(Quorum quorum, Hold hold, QuorumLeases leases) {
        this.quorum = quorum;
        this.cell = hold.cell;
        this.hold = hold;
        this.leases = leases;
        long firstNanos = cell.nanos() + nextPeriodNanos();
        for (Seat seat : leases.seats()) {
            seat.joinFromNanos = firstNanos;
        }
    }

    // --- when to look ---

    /** Looks after the nodes again, a part of a period from now, if any needs it. */
    void plan() {
        if (nextLook == null && !ended && anyNodeIsMissing()) {
            long soonNanos = Math.max(SHORTEST_LOOK_NANOS, periodNanos() / LOOKS_PER_PERIOD);
            nextLook = quorum.facts.runtime().after(soonNanos, () -> cell.run(this::look));
        }
    }

    private boolean anyNodeIsMissing() {
        for (Seat seat : leases.seats()) {
            if (seat.isBehind() || seat.isNew() || (!seat.lease().isGranted() && !seat.isBarred())) {
                return true;
            }
        }
        return false;
    }

    private void look() {
        nextLook = null;
        if (ended || !hold.isAlive()) {
            return;
        }
        long now = cell.nanos();
        for (Seat seat : leases.seats()) {
            if (now - seat.joinFromNanos >= 0) {
                join(seat);
            }
            if (seat.isNew()) {
                // A question that was under way when the node joined proves nothing.
                leases.confirm();
            }
            catchUp(seat);
        }
        plan();
    }

    /** The hold has ended. */
    void end() {
        ended = true;
        if (nextLook != null) {
            nextLook.cancel();
        }
        for (Seat seat : leases.seats()) {
            seat.stopListening();
        }
    }

    private long periodNanos() {
        long leaseMillis = hold.isWatched() ? hold.watchedLeaseMillis() : hold.longestLeaseMillis();
        return TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 3;
    }

    private long nextPeriodNanos() {
        long period = periodNanos();
        return period - quorum.facts.runtime().random(period / SPREAD_PART + 1);
    }

    // --- joining ---

    /**
     * Asks a node to join the hold, where that is safe and can help. A node that has no lease counts for nothing, so the
     * hold is valid by a majority of the others, now and when the answer is applied.
     */
    private void join(Seat seat) {
        Store store = seat.store;
        long now = cell.nanos();
        long leaseMillis = leaseToAskFor(now);
        if (!seat.isVacant()
                || quorum.owesAnswers(store)
                || !quorum.guard.letsJoin(store, store.backend().run())
                || LeaseTerm.validUntil(now, leaseMillis) - now <= 0) {
            return;
        }
        seat.joinFromNanos = now + nextPeriodNanos();
        if (hold.isBusy()) {
            // Whatever the operation under way makes of the count, this node is not part of it.
            seat.misses();
        }
        hold.willAskFor(leaseMillis);
        store.backend().send(new Join(seat, seat.askAfresh(hold), leaseMillis));
    }

    /** What is left of the hold's lease; of a watched one what the next renewal asks for, if that is more. */
    private long leaseToAskFor(long now) {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(hold.validUntilNanos(now) - now);
        if (!hold.isWatched()) {
            return leftMillis;
        }
        long renewableMillis = TimeUnit.NANOSECONDS.toMillis(hold.renewableNanos(now));
        return Math.max(leftMillis, Math.min(hold.watchedLeaseMillis(), renewableMillis));
    }

    private void joined(Seat seat, Join join, ServerRun run) {
        StoreLease lease = join.lease;
        if (!hold.isAlive()) {
            if (!lease.isBeingReleased()) {
                // A request that met NOSCRIPT was written again, perhaps behind the undo that ended it.
                quorum.undoer().undo(cell, hold.kind(), seat.store, hold.field, hold.longestLeaseMillis());
            }
        } else if (!quorum.guard.letsJoin(seat.store, run)) {
            undo(seat);
        } else {
            lease.grant(join.sentNanos, join.leaseMillis);
            seat.confirmed(run, join.sentNanos);
            seat.stopListening();
            quorum.watchdog().joined(lease);
            leases.joined(seat);
            catchUp(seat);
        }
    }

    private void refused(Seat seat, StoreLease lease, long timeToLiveMillis) {
        lease.refuse("refused for " + timeToLiveMillis + " ms, another owner holds it there");
        seat.isAway();
        if (ended || !hold.isAlive()) {
            return;
        }
        if (timeToLiveMillis >= 0) {
            long freeNanos = cell.nanos() + TimeUnit.MILLISECONDS.toNanos(timeToLiveMillis) + AFTER_EXPIRY_NANOS;
            seat.joinFromNanos = freeNanos - seat.joinFromNanos < 0 ? freeNanos : seat.joinFromNanos;
        }
        listen(seat);
    }

    private void failed(Seat seat, StoreLease lease, Fault fault) {
        if (fault.maybeApplied()) {
            undo(seat);
        } else {
            lease.refuse(fault.kind() + ": " + fault.detail());
        }
        plan();
    }

    private void undo(Seat seat) {
        leases.undo(seat, cell, hold.kind(), hold.field, hold.longestLeaseMillis());
    }

    /** Waits for a message that the lock was freed at a node. */
    private void listen(Seat seat) {
        if (seat.releases != null) {
            return;
        }
        LockKeys there = cell.keys.at(seat.store);
        seat.releases = seat.store.backend().subscribe(there.slot, there.channelBytes(), new Wakeup() {
            @Override
            public void ready() {
                cell.run(() -> freed(seat));
            }

            @Override
            public void message(String text) {
                cell.run(() -> freed(seat));
            }
        });
    }

    private void freed(Seat seat) {
        if (!ended && hold.isAlive()) {
            join(seat);
        }
    }

    // --- steps that a node has missed ---

    /** Tells a node the present count and lease, if it may know older ones. */
    void catchUp(Seat seat) {
        long now = cell.nanos();
        long leaseMillis = leaseToAskFor(now);
        if (!seat.isBehind()
                || seat.isCatchingUp()
                || hold.isBusy()
                || !hold.isAlive()
                || quorum.owesAnswers(seat.store)
                || leaseMillis <= 0) {
            return;
        }
        seat.catchUpBegins();
        StepListener step = new StepListener() {
            @Override
            public void overdue() {}

            @Override
            public void ended(Outcome outcome) {
                cell.run(() -> {
                    seat.catchUpEnded(outcome);
                    plan();
                });
            }
        };
        quorum.steps()
                .get(seat.store.index())
                .reenter(hold, hold.count(), leaseMillis, now + quorum.facts.commandNanos(), step);
    }

    /** A request to join. */
    private final class Join extends NodeCall {

        private final Seat seat;
        private final StoreLease lease;
        private final long leaseMillis;
        private final int count = hold.count();

        Join(Seat seat, StoreLease lease, long leaseMillis) {
            super(hold.kind().script(Verb.JOIN), quorum, cell, seat.store, quorum.nodeTimeoutNanos(leaseMillis));
            this.seat = seat;
            this.lease = lease;
            this.leaseMillis = leaseMillis;
        }

        @Override
        public void encode(Args out) {
            hold.kind().writeJoin(keys, quorum.facts.fields(), hold.field, count, leaseMillis, hold.token, out);
        }

        @Override
        void late() {}

        @Override
        public void onReply(Reply reply) {
            ServerRun answering = run;
            boolean yes = reply.integer(0) == 1;
            long timeToLiveMillis = reply.integer(1);
            paid();
            cell.run(() -> {
                if (yes) {
                    joined(seat, this, answering);
                } else {
                    refused(seat, lease, timeToLiveMillis);
                }
            });
        }

        @Override
        void failed(Fault fault) {
            cell.run(() -> Joins.this.failed(seat, lease, fault));
        }
    }
}
