package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.spi.Script;

/**
 * The exclusive half of a read/write lock over several nodes (rule 66). It is proposed as the plain lock is, which live readers
 * refuse since they keep the lock's hash; its release leaves a reader of the same owner alone, and lets the calls in that stand
 * in a queue of that node alone.
 */
public final class QuorumWriting extends Queued {

    public static final LockKind KIND = new QuorumWriting();

    private QuorumWriting() {
        super(HoldKind.WRITE, "write", "w");
    }

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> throw new UnsupportedOperationException("several nodes keep no queue");
            case PROPOSE -> Scripts.PROPOSE;
            case ADOPT -> Scripts.ADOPT;
            default -> super.script(verb);
        };
    }

    @Override
    public boolean queues() {
        return false;
    }
}
