package io.holdfast.lock.engine.kind;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;

/**
 * One of the steps in which a {@link Verb} with several keys is done where these may be at two nodes, since their slot is being
 * moved (rule 120). It names one key.
 *
 * @param isNeeded whether its answer 0 is that of the verb, and ends it
 */
public record KeyStep(Script script, boolean isNeeded, Words words) {

    /** Writes the key and the arguments. */
    public interface Words {

        /**
         * Writes those of one hold.
         *
         * @param leaseMillis for a renewal; else 0
         */
        void write(LockKeys lock, Fields fields, byte[] field, long leaseMillis, Args out);
    }
}
