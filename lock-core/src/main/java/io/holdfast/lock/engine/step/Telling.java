package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;

/**
 * Tells waiters at the primary of a slot what the script has told that changed something, since it ran at another node, and told
 * there: a client that asked before the key went there does not listen there yet (rule 98). What becomes of it is of no matter:
 * the waiters look from time to time.
 */
public final class Telling extends Unheeded {

    private static final byte[] RELEASED = {'0'};

    private final byte[] channel;

    private Telling(int slot, byte[] channel, long now, long deadlineNanos) {
        super(Scripts.TELL, slot, now, deadlineNanos);
        this.channel = channel;
    }

    /** Tells those who listen to a channel of a slot. */
    public static void of(Store store, int slot, byte[] channel, long deadlineNanos) {
        store.backend()
                .send(new Telling(slot, channel, store.backend().runtime().nanos(), deadlineNanos));
    }

    @Override
    public void encode(Args out) {
        out.arg(channel).arg(RELEASED);
    }

    /** It is meant for the primary, whatever that has of the lock. */
    @Override
    public boolean namesKeys() {
        return false;
    }
}
