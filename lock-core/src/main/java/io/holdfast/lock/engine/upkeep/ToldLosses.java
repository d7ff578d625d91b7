package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Losses;
import io.holdfast.lock.engine.hold.UntoldLosses;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.tell.Events;
import io.holdfast.lock.text.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of losses, undoes what they leave behind, and remembers them for owners that have not heard of theirs. */
public final class ToldLosses implements Losses {

    private static final Logger log = LoggerFactory.getLogger(ToldLosses.class);

    private final ClientFacts facts;
    private final Watchdog watchdog;
    private final Undoer undoer;
    private final Events events;
    private final UntoldLosses untold = new UntoldLosses();
    private final LogLimit limit;

    public ToldLosses(ClientFacts facts, Watchdog watchdog, Undoer undoer, Events events) {
        this.facts = facts;
        this.watchdog = watchdog;
        this.undoer = undoer;
        this.events = events;
        this.limit = new LogLimit(facts.runtime());
    }

    /** No listener keeps the next from hearing. */
    @Override
    public void lost(Hold hold, LockLoss loss) {
        watchdog.unwatch(hold);
        if (!hold.isDelivered()) {
            return;
        }
        hold.lossIsTold();
        try {
            hold.tellLoss();
        } finally {
            try {
                events.lost(hold, loss);
            } finally {
                Logging.attempt(() -> log(hold.cell.keys.named(), loss));
            }
        }
    }

    private void log(Named what, LockLoss loss) {
        if (facts.isClosed()) {
            log.debug(
                    "{}, owner {}: lost: {}: {}",
                    what,
                    Printable.of(loss.owner()),
                    loss.reason(),
                    Printable.message(loss.detail()));
        } else if (limit.permits()) {
            log.warn(
                    "{}, owner {}, token {}, {}: LOST: {}: {}",
                    what,
                    Printable.of(loss.owner()),
                    loss.fencingToken(),
                    Printable.of(loss.node()),
                    loss.reason(),
                    Printable.message(loss.detail()));
        }
    }

    @Override
    public void undo(Hold hold) {
        undoer.undo(hold);
    }

    @Override
    public void remember(Hold hold) {
        Hold oldest = untold.add(hold);
        if (oldest != null) {
            oldest.cell.run(() -> oldest.cell.forget(oldest));
        }
    }

    @Override
    public void forget(Hold hold) {
        untold.remove(hold);
    }

    /** How many owners have not heard of their loss. */
    public int untold() {
        return untold.size();
    }
}
