package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;

/**
 * Takes back the word of a client whose calls have all given up (rule 127). It goes behind what they asked and ahead of what later calls
 * ask. What becomes of it is of no matter: word that stays costs a grace.
 */
final class WordTakenBack extends ScriptCall {

    private final LockKeys keys;
    private final Fields fields;

    WordTakenBack(LockKeys keys, Fields fields, long now, long deadlineNanos) {
        super(Scripts.TURN_GIVE_UP, keys.slot, now, deadlineNanos);
        this.keys = keys;
        this.fields = fields;
    }

    @Override
    public void encode(Args out) {
        keys.writeQueue(keys.writeTurns(keys.writeKey(out)));
        keys.writeChannel(fields.writeClient(out));
    }

    @Override
    public void onOverdue() {}

    @Override
    public void onReply(Reply reply) {}

    @Override
    public void onFault(Fault fault) {}
}
