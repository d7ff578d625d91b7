package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.TakingThread;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of renewal for holds whose thread has died without releasing them (rule 22), with few warnings. */
final class DeadTakers {

    private static final Logger log = LoggerFactory.getLogger(DeadTakers.class);

    private final LogLimit warnings;

    DeadTakers(Runtime runtime) {
        this.warnings = new LogLimit(runtime);
    }

    /** Ends the renewal of a hold whose thread has died; a permit of the client may be given back by another thread. */
    boolean endRenewal(Hold hold) {
        TakingThread taker = hold.kind().isAnonymous() ? null : hold.takingThread;
        String dead = taker == null ? null : taker.nameIfDead();
        if (dead == null) {
            return false;
        }
        hold.stopWatching(LossReason.NOT_RENEWED, "thread '" + Printable.of(dead) + "', which took it, has died");
        if (warnings.permits()) {
            Logging.attempt(() -> log.warn(
                    "lock '{}', owner {}: thread '{}', which took it, has died without releasing it;"
                            + " it is no longer renewed",
                    hold.cell.keys,
                    hold.ownerText(),
                    Printable.of(dead)));
        }
        return true;
    }
}
