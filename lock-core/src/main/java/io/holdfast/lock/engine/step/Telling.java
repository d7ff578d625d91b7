package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;

/**
 * Tells waiters at the primary of a lock's slot that the lock was freed, since the script that freed it ran at another node, and told
 * there: a client that asked before the lock's key went there does not listen there yet (rule 98). What becomes of it is of no
 * matter: the waiters look from time to time.
 */
final class Telling extends ScriptCall {

    private final LockKeys keys;

    private Telling(LockKeys keys, long now, long deadlineNanos) {
        super(Scripts.TELL, keys.slot, now, deadlineNanos);
        this.keys = keys;
    }

    /** @param keys what the lock is called at the store */
    static void of(Store store, LockKeys keys, long deadlineNanos) {
        store.backend().send(new Telling(keys, store.backend().runtime().nanos(), deadlineNanos));
    }

    @Override
    public void encode(Args out) {
        out.arg(keys.channelBytes());
    }

    /** It is meant for the primary, whatever that has of the lock. */
    @Override
    public boolean namesKeys() {
        return false;
    }

    @Override
    public void onOverdue() {}

    @Override
    public void onReply(Reply reply) {}

    @Override
    public void onFault(Fault fault) {}
}
