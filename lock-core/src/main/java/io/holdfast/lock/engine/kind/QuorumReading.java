package io.holdfast.lock.engine.kind;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;

/**
 * The half of a read/write lock over several nodes that several owners hold together (rule 66). At each node a reader is what it
 * is at one store. Its calls do not stand in a queue there, since each node would have another order.
 */
public final class QuorumReading extends Reading {

    public static final LockKind KIND = new QuorumReading();

    private QuorumReading() {}

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> throw new UnsupportedOperationException("several nodes keep no queue");
            case PROPOSE -> Scripts.READ_PROPOSE;
            case ADOPT -> Scripts.READ_ADOPT;
            case JOIN -> Scripts.READ_JOIN;
            default -> super.script(verb);
        };
    }

    @Override
    public void writePropose(LockKeys lock, Fields fields, Proposal proposal, Args out) {
        lock.writeQueueKeys(out);
        writeField(fields, proposal.field, out).arg(proposal.leaseMillis);
        writeFieldOrNone(fields, proposal.heldBeside, out).arg(proposal.token).arg(proposal.aheadMicros);
    }

    @Override
    public void writeAdopt(LockKeys lock, Fields fields, byte[] field, long token, Args out) {
        lock.writeReaderKeys(out);
        writeField(fields, field, out).arg(token);
    }

    /** The count is known to the reader's client only. */
    @Override
    public void writeJoin(
            LockKeys lock, Fields fields, byte[] field, int count, long leaseMillis, long token, Args out) {
        lock.writeQueueKeys(out);
        writeField(fields, field, out).arg(leaseMillis).arg(token);
    }

    @Override
    public boolean queues() {
        return false;
    }
}
