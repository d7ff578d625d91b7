package io.holdfast.lock.engine.operation;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Losses;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.step.Place;
import io.holdfast.lock.engine.tell.Events;
import io.holdfast.lock.engine.upkeep.ClientRecords;
import io.holdfast.lock.engine.upkeep.Undoer;
import io.holdfast.lock.engine.upkeep.Watchdog;
import io.holdfast.lock.spi.Fault;

/** What the operations on holds are done with: the place where the locks are kept, and the parts that hear of their ends. */
public record HoldTools(
        ClientFacts facts,
        Place place,
        Exchanges exchanges,
        Watchdog watchdog,
        Undoer undoer,
        Events events,
        Losses losses,
        ClientRecords records) {

    long commandNanos() {
        return facts.commandNanos();
    }

    /** A hold has been released. */
    void released(Hold hold, Pending<Done> result) {
        result.complete(Done.DONE);
        if (hold.isDelivered()) {
            events.released(hold);
        }
    }

    /** When the caller of a release that sets out now is told how it ended, whatever has become of it (rule 133). */
    long releaseDueNanos(Hold hold) {
        return hold.cell.nanos() + commandNanos();
    }

    /** Tells the caller of a release that it goes on without it. */
    void failRelease(Hold hold, Fault fault, Pending<Done> result) {
        result.fail(Failures.adding(
                Failures.of(hold.cell.keys.named(), hold.ownerText(), fault), "the release goes on in the background"));
    }

    /** A hold has ended here, and the server has not confirmed it. */
    void releaseFailed(Hold hold, Fault fault, Pending<Done> result) {
        failRelease(hold, fault, result);
        if (hold.isDelivered()) {
            events.releaseFailed(hold, Failures.reason(fault), fault.detail());
        }
    }

    /**
     * The server does not know the field. If an earlier try may have removed it, that is what was wanted (rule 18);
     * else the hold had been lost before.
     */
    void gone(Hold hold, Pending<Done> result, boolean repeated) {
        if (repeated || !hold.isDelivered()) {
            released(hold, result);
        } else {
            LockLoss loss = hold.lostBeforeRelease();
            result.fail(Failures.lost(hold.cell.keys.named(), loss));
            losses.lost(hold, loss);
        }
    }
}
