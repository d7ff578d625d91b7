package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;

/**
 * The half of a read/write lock that several owners hold together (rules 49 to 54). Each reader has a deadline of its own, in
 * a sorted set beside the lock's hash; how often it has taken the lock only its client knows.
 */
public class Reading extends Queued {

    public static final LockKind KIND = new Reading();

    Reading() {
        super(HoldKind.READ, "read", "r");
    }

    @Override
    public Script script(Verb verb) {
        return verb == Verb.RENEW ? Scripts.KEEP : super.script(verb);
    }

    @Override
    public void writeRenewKeys(LockKeys lock, Args out) {
        lock.writeKeyAndReaders(out);
    }

    @Override
    public void writeReenter(LockKeys lock, Fields fields, byte[] field, int count, long leaseMillis, Args out) {
        throw new UnsupportedOperationException("the server does not count the levels of a reader");
    }

    @Override
    public void writeLower(LockKeys lock, Fields fields, byte[] field, int count, Args out) {
        throw new UnsupportedOperationException("the server does not count the levels of a reader");
    }

    @Override
    public boolean isCounted() {
        return false;
    }

    @Override
    public boolean excludes(LockKind other) {
        return other != this;
    }

    @Override
    public boolean includes(LockKind other) {
        return other == this;
    }

    @Override
    public boolean isApart() {
        return true;
    }

    @Override
    public LockKind overNodes() {
        return QuorumReading.KIND;
    }
}
