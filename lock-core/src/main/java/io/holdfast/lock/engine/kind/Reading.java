package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import java.util.List;

/**
 * The half of a read/write lock that several owners hold together (rules 49 to 54). Each reader has a deadline of its own, in
 * a sorted set beside the lock's hash; how often it has taken the lock only its client knows.
 */
public class Reading extends Queued {

    public static final LockKind KIND = new Reading();

    /** The field of the hash that says that there are readers. */
    private static final byte[] MARK = KeyLayout.utf8("readers");

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

    /** Whether it still reads only its own entry says: the mark that there are readers may be there for others. */
    @Override
    public List<KeyStep> keyByKey(Verb verb) {
        return verb == Verb.RENEW
                ? List.of(
                        new KeyStep(Scripts.RENEW, true, (lock, fields, field, lease, out) -> lock.writeKey(out)
                                .arg(MARK)
                                .arg(lease)),
                        new KeyStep(
                                Scripts.PERMIT_KEEP,
                                true,
                                (lock, fields, field, lease, out) ->
                                        writeRenew(fields, field, lease, lock.writeReaders(out))))
                : super.keyByKey(verb);
    }

    @Override
    KeyStep ends() {
        return new KeyStep(Scripts.LEAVE, true, (lock, fields, field, lease, out) -> {
            lock.writeReaders(out);
            lock.writeChannel(out);
            writeField(fields, field, out);
        });
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
