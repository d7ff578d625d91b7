package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.spi.ServerRun;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The leases of a hold at the nodes of a quorum: it is valid while a majority of them is. */
public final class QuorumLeases implements HoldLeases {

    private final Quorum quorum;
    private final List<Seat> seats;
    private final int majority;

    /** The hold that they make; null until it has begun. Belongs to the cell's steps. */
    private @Nullable Hold hold;
    /** What regains nodes for it. */
    private @Nullable Joins joins;

    /** @param seats one for each node, in the order of the stores */
    public QuorumLeases(Quorum quorum, List<Seat> seats) {
        this.quorum = quorum;
        this.seats = seats;
        this.majority = HoldLeases.majority(seats.size());
    }

    /** The leases of a hold of such a client. */
    static QuorumLeases of(Hold hold) {
        return (QuorumLeases) hold.leases;
    }

    List<Seat> seats() {
        return seats;
    }

    @Override
    public int size() {
        return seats.size();
    }

    @Override
    public StoreLease get(int index) {
        return seats.get(index).lease();
    }

    /** A node that refused to join may have the field of an earlier lease. */
    @Override
    public boolean mayBeAt(StoreLease lease) {
        return !lease.isRefused() || seat(lease).mayHaveField();
    }

    @Override
    public boolean isQuorum() {
        return true;
    }

    /** The majority-th largest validity, for that many nodes exclude all other owners until then (rule 34). */
    @Override
    public long validUntilNanos(long now) {
        long[] left = new long[seats.size()];
        int granted = 0;
        for (Seat seat : seats) {
            StoreLease lease = seat.lease();
            if (seat.counts() && lease.isGranted()) {
                left[granted++] = lease.validUntilNanos() - now;
            }
        }
        if (granted < majority) {
            return now;
        }
        Arrays.sort(left, 0, granted);
        return now + left[granted - majority];
    }

    @Override
    public boolean majorityIsGone() {
        int granted = 0;
        for (Seat seat : seats) {
            if (seat.counts() && seat.lease().mayBeThere()) {
                granted++;
            }
        }
        return granted < majority;
    }

    @Override
    public boolean areDoubtful(long now) {
        int sure = 0;
        for (Seat seat : seats) {
            StoreLease lease = seat.lease();
            if (seat.counts() && lease.isValid(now) && !lease.isDoubtful()) {
                sure++;
            }
        }
        return sure < majority;
    }

    @Override
    public String describe(long now) {
        StringJoiner text = new StringJoiner("; ");
        for (Seat seat : seats) {
            text.add(seat.lease().describe(now));
        }
        return text.toString();
    }

    // --- what regains nodes ---

    @Override
    public void begun(Hold begun) {
        hold = begun;
        joins = new Joins(quorum, begun, this);
        plan();
    }

    @Override
    public void ended() {
        if (joins != null) {
            joins.end();
        }
    }

    @Override
    public void confirmed(StoreLease lease, ServerRun run, long sentNanos) {
        seat(lease).confirmed(run, sentNanos);
        if (!lease.isGranted() || anyIsNew()) {
            lease.hold().cell.run(() -> {
                admit();
                plan();
            });
        }
    }

    @Override
    public void forgotten(StoreLease lease, ServerRun run, boolean wasValid) {
        seat(lease).forgotten(run, wasValid);
        lease.hold().cell.run(this::plan);
    }

    private Seat seat(StoreLease lease) {
        return seats.get(lease.store.index());
    }

    private boolean anyIsNew() {
        for (Seat seat : seats) {
            if (seat.isNew()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets leases count that nodes gave later than the others, once a majority of those that count has confirmed the hold
     * since. Until then one of them may have lost the field without a word, and another owner come and gone.
     */
    private void admit() {
        boolean any = false;
        for (Seat fresh : seats) {
            if (fresh.isNew() && isConfirmedSince(fresh.joinedNanos())) {
                fresh.admit();
                any = true;
            }
        }
        if (any && hold != null) {
            quorum.watchdog().changed(hold);
        }
    }

    private boolean isConfirmedSince(long nanos) {
        int confirmed = 0;
        for (Seat seat : seats) {
            if (seat.counts() && seat.lease().isGranted() && seat.hasConfirmedSince(nanos)) {
                confirmed++;
            }
        }
        return confirmed >= majority;
    }

    private void plan() {
        if (joins != null) {
            joins.plan();
        }
    }

    /**
     * A node has granted after the hold had begun. Within the cell's gate.
     *
     * @param afterItsTime whether the request had had its time
     */
    void cameLate(Seat seat, boolean afterItsTime) {
        if (afterItsTime) {
            joined(seat);
        }
        catchUp();
    }

    /** A node has the field from now on. It counts when the others have been asked once more. */
    void joined(Seat seat) {
        if (hold != null) {
            seat.joined(hold.cell.nanos());
            confirm();
            plan();
        }
    }

    /** Asks the nodes on which the hold rests whether it is still there. */
    void confirm() {
        for (Seat seat : seats) {
            if (hold != null && seat.counts()) {
                quorum.watchdog().ask(seat.lease());
            }
        }
    }

    /** A step of the hold has ended. Within the cell's gate. */
    void catchUp() {
        if (joins != null) {
            seats.forEach(joins::catchUp);
            joins.plan();
        }
    }

    /**
     * Removes what a node may have of the field, for as long as the hold lives at others; until the node has confirmed
     * that, it does not join. Within the cell's gate.
     */
    void undo(Seat seat, LockCell cell, LockKind kind, byte[] field, long leaseMillis) {
        seat.undoBegins();
        quorum.undoer().clear(cell, kind, seat.store, field, leaseMillis, this::goOn, () -> {
            seat.undoConfirmed();
            plan();
        });
    }

    private boolean goOn() {
        return hold != null && hold.isAlive();
    }
}
