package io.holdfast.lock.engine.permit;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.operation.HoldOperations;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The permits of a client for which a release of one thread may be meant, living and lost, in the order in which they are given back
 * (rules 123, 124): those that this thread took, then all others; lost ones first. A release that meets a lost one throws, and gives
 * nothing back. Of living ones the one that was confirmed longest ago comes first: if the server has forgotten it, the client may not
 * have noticed yet, and those that were confirmed later may live. Belongs to a step of the cell.
 */
final class OwedPermits {

    private static final Comparator<Owed> ORDER =
            Comparator.<Owed>comparingInt(owed -> owed.isOwn ? 0 : 1).thenComparingLong(Owed::confirmed);

    private final LockCell cell;
    private final Thread thread;
    private final long now;

    OwedPermits(LockCell cell, Thread thread) {
        this.cell = cell;
        this.thread = thread;
        this.now = cell.nanos();
    }

    /** The first so many, or all if there are fewer. Most releases want one, and walk through all without sorting them. */
    List<Hold> first(int permits) {
        List<Owed> found = new ArrayList<>();
        addTo(found, cell.lostHolds());
        addTo(found, cell.holds());
        if (permits == 1 && !found.isEmpty()) {
            return List.of(Collections.min(found, ORDER).permit);
        }
        found.sort(ORDER);
        return found.stream().limit(permits).map(Owed::permit).toList();
    }

    /** Whether a blocking call of this thread took it. */
    private boolean isOwn(Hold permit) {
        return permit.takingThread != null && permit.takingThread.refersTo(thread);
    }

    private static boolean hasLivingTaker(Hold permit) {
        return permit.takingThread != null && permit.takingThread.nameIfDead() == null;
    }

    private void addTo(List<Owed> found, Holds holds) {
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            boolean isOwn = isOwn(hold);
            if (hold.kind().isAnonymous() && hold.count() > 0 && (isOwn || !hold.isSettledByAnother())) {
                found.add(new Owed(hold, isOwn, hold.isAlive(now) ? hold.confirmedNanos(now) - now : Long.MIN_VALUE));
            }
        }
    }

    /** @param confirmed before how long, in negative nanoseconds; what was lost is the oldest */
    private record Owed(Hold permit, boolean isOwn, long confirmed) {}

    /** Releases one of them. The thread that took it is told of its loss as well, if it may come. */
    void release(Hold permit, HoldOperations operations, Pending<Done> result) {
        LockLoss loss = permit.loss();
        if (isOwn(permit) || !hasLivingTaker(permit)) {
            operations.release(permit, result);
        } else if (loss == null) {
            operations.release(permit, heardByTaker(permit, result));
        } else {
            permit.settleByAnother();
            result.fail(Failures.lostByAnother(cell.keys.named(), loss));
        }
    }

    /** The result of a release that may find that the server does not know the permit; until then its cell is kept for the loss. */
    private Pending<Done> heardByTaker(Hold permit, Pending<Done> result) {
        cell.keep();
        return new Pending<>() {
            @Override
            public void onSettled() {
                Throwable failure = failure();
                if (failure instanceof LockLostException && permit.count() > 0) {
                    permit.settleByAnother();
                    cell.remember(permit);
                }
                cell.letGo();
                if (failure == null) {
                    result.complete(value());
                } else {
                    result.fail(failure);
                }
            }
        };
    }
}
