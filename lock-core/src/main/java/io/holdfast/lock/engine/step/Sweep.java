package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;

/**
 * Takes places of this client out of a queue at the server whose calls have left (rule 122). What becomes of it is of no matter: a
 * place that stays costs a claim window.
 */
final class Sweep extends Unheeded {

    private final LockKeys keys;
    private final Fields fields;
    private final long oldest;

    /** @param oldest the number of the oldest call that waits */
    Sweep(LockKeys keys, Fields fields, long oldest, long now, long deadlineNanos) {
        super(Scripts.SWEEP, keys.slot, now, deadlineNanos);
        this.keys = keys;
        this.fields = fields;
        this.oldest = oldest;
    }

    @Override
    public void encode(Args out) {
        fields.writeClient(keys.writeQueue(out)).arg(oldest);
    }
}
