package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;

/**
 * Takes back the word of a client whose calls have all given up (rule 127). It goes behind what they asked and ahead of what later calls
 * ask. What becomes of it is of no matter: word that stays costs a grace.
 */
public final class WordTakenBack extends Unheeded {

    private final LockKeys keys;
    private final Fields fields;

    /** Takes it back at a store whose locks have turns. */
    public static void send(StoreSteps at, LockKeys lock, long deadlineNanos) {
        Store store = at.store;
        if (!store.isWithoutTurns()) {
            long now = store.backend().runtime().nanos();
            store.backend().send(new WordTakenBack(lock.at(store), at.fields, now, deadlineNanos));
        }
    }

    private WordTakenBack(LockKeys keys, Fields fields, long now, long deadlineNanos) {
        super(Scripts.TURN_GIVE_UP, keys.slot, now, deadlineNanos);
        this.keys = keys;
        this.fields = fields;
    }

    @Override
    public void encode(Args out) {
        keys.writeQueue(keys.writeTurns(keys.writeKey(out)));
        keys.writeChannel(fields.writeClient(out));
    }
}
