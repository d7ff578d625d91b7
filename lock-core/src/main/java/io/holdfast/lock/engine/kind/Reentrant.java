package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;

/**
 * The reentrant lock: one owner at a time, any number of times. The holder is a field of the lock's hash, and its value the
 * count. A kind that keeps its holders in the same hash may extend it.
 */
public class Reentrant implements LockKind {

    public static final LockKind KIND = new Reentrant();

    protected Reentrant() {}

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> Scripts.ACQUIRE;
            case REENTER -> Scripts.REENTER;
            case LOWER, RELEASE -> Scripts.RELEASE;
            case TRANSFER -> Scripts.TRANSFER;
            case RENEW -> Scripts.RENEW;
            case FORCE -> Scripts.FORCE;
            case PROPOSE -> Scripts.PROPOSE;
            case ADOPT -> Scripts.ADOPT;
            case JOIN -> Scripts.JOIN;
        };
    }

    /** Writes a field as an argument. */
    protected Args writeField(Fields fields, byte[] field, Args out) {
        return fields.write(field, out);
    }

    @Override
    public void writeAcquire(LockKeys lock, Fields fields, Asker asker, byte[] field, Args out) {
        lock.writeTokenKeys(out);
        writeField(fields, field, out).arg(asker.leaseMillis());
        lock.writeTokenPlace(out);
    }

    @Override
    public void writeReenter(LockKeys lock, Fields fields, byte[] field, int count, long leaseMillis, Args out) {
        writeField(fields, field, lock.writeKey(out)).arg(count).arg(leaseMillis);
    }

    @Override
    public void writeRelease(LockKeys lock, Fields fields, byte[] field, Args out) {
        writeLower(lock, fields, field, 0, out);
    }

    @Override
    public void writeLower(LockKeys lock, Fields fields, byte[] field, int count, Args out) {
        writeField(fields, field, lock.writeKey(out)).arg(count);
        lock.writeChannel(out);
    }

    @Override
    public void writeTransfer(
            LockKeys lock, Fields fields, byte[] from, byte[] to, long leaseMillis, int tokens, Args out) {
        lock.writeTokenKeys(out);
        writeField(fields, from, out);
        writeField(fields, to, out).arg(leaseMillis);
        lock.writeTokenPlace(out);
    }

    @Override
    public void writeRenewKeys(LockKeys lock, Args out) {
        lock.writeKey(out);
    }

    @Override
    public void writeRenew(Fields fields, byte[] field, long leaseMillis, Args out) {
        writeField(fields, field, out).arg(leaseMillis);
    }

    @Override
    public void writeForce(LockKeys lock, Args out) {
        lock.writeKey(out);
        lock.writeChannel(out);
    }

    @Override
    public void writePropose(LockKeys lock, Fields fields, Proposal proposal, Args out) {
        lock.writeKeyAndClock(out);
        writeProposal(lock, fields, proposal, out);
    }

    /** Writes what is proposed to each kind of lock in one hash. */
    protected final Args writeProposal(LockKeys lock, Fields fields, Proposal proposal, Args out) {
        return writeField(fields, proposal.field, out)
                .arg(proposal.leaseMillis)
                .arg(lock.layout.keepsToken() ? 1 : 0)
                .arg(proposal.token)
                .arg(proposal.aheadMicros);
    }

    @Override
    public void writeAdopt(LockKeys lock, Fields fields, byte[] field, long token, Args out) {
        lock.writeKeyAndClock(out);
        writeField(fields, field, out).arg(token).arg(lock.layout.keepsToken() ? 1 : 0);
    }

    @Override
    public void writeJoin(
            LockKeys lock, Fields fields, byte[] field, int count, long leaseMillis, long token, Args out) {
        lock.writeKeyAndClock(out);
        writeField(fields, field, out)
                .arg(count)
                .arg(leaseMillis)
                .arg(lock.layout.keepsToken() ? 1 : 0)
                .arg(token);
    }

    @Override
    public HoldKind holdKind() {
        return HoldKind.PLAIN;
    }

    @Override
    public boolean isTransferable() {
        return true;
    }

    @Override
    public boolean excludes(LockKind other) {
        return true;
    }

    @Override
    public boolean includes(LockKind other) {
        return !other.isApart();
    }

    /** Its own release deletes the hash, and a hand-over moves it: either would let a writer in beside the reader. */
    @Override
    public LockKind besideAnother() {
        return Queued.PLAIN;
    }

    @Override
    public String toString() {
        return "exclusive";
    }
}
