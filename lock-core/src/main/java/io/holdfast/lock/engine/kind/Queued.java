package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The lock whose waiters stand in a queue at the server: it goes to them in the order in which they came (rules 39 to 48).
 * The holder is a field of the same hash as that of the plain lock, so both are one lock.
 */
public class Queued extends Reentrant {

    /** For how long the lock is kept for a waiter whose turn it is, until it has claimed it (rule 42). */
    public static final long CLAIM_WINDOW_MILLIS = 1_000;

    /** For how long a client counts as present after each request of a call that waits (rule 46). */
    public static final long PRESENCE_MILLIS = 15_000;

    public static final LockKind FAIR = new Queued(HoldKind.FAIR, "fair", "w");
    /** The exclusive half of a read/write lock. */
    public static final LockKind WRITE = new Queued(HoldKind.WRITE, "write", "w");

    /** The plain lock of an owner that waits beside a queue, or has asked to read beside its hold. */
    static final LockKind PLAIN = new Queued(HoldKind.PLAIN, "exclusive", "w");

    private static final byte[] NONE = {};

    private final HoldKind holdKind;
    private final String name;
    private final byte[] mode;

    Queued(HoldKind holdKind, String name, String mode) {
        this.holdKind = holdKind;
        this.name = name;
        this.mode = KeyLayout.utf8(mode);
    }

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> Scripts.QUEUE_JOIN;
            case RELEASE -> Scripts.QUEUE_PART;
            case FORCE -> Scripts.QUEUE_FORCE;
            case TRANSFER, PROPOSE, ADOPT ->
                throw new UnsupportedOperationException("a " + this + " lock has no " + verb);
            case REENTER, LOWER, RENEW, JOIN -> super.script(verb);
        };
    }

    /** Writes a field as an argument, or an empty one. */
    final Args writeFieldOrNone(Fields fields, byte @Nullable [] field, Args out) {
        return field == null ? out.arg(NONE) : writeField(fields, field, out);
    }

    @Override
    public void writeAcquire(LockKeys lock, Fields fields, Asker asker, byte[] field, Args out) {
        lock.writeQueueKeys(out);
        writeField(fields, field, out.arg(mode)).arg(asker.leaseMillis());
        writeFieldOrNone(fields, asker.heldBeside(), out);
        out.arg(asker.waits() ? 1 : 0).arg(CLAIM_WINDOW_MILLIS).arg(PRESENCE_MILLIS);
        lock.writeChannel(out);
    }

    @Override
    public void writeRelease(LockKeys lock, Fields fields, byte[] field, Args out) {
        lock.writeQueueKeys(out);
        writeField(fields, field, out.arg(mode)).arg(CLAIM_WINDOW_MILLIS);
        lock.writeChannel(out);
    }

    /** It leaves the queue first: what was let in before that is found in the step behind it. No other is let in. */
    @Override
    public List<KeyStep> keyByKey(Verb verb) {
        return verb == Verb.RELEASE ? List.of(leaves(LockKeys::writeQueue), ends()) : super.keyByKey(verb);
    }

    /** What takes a call that waits out of one of the sets in which it has a place. */
    final KeyStep leaves(BiFunction<LockKeys, Args, Args> writesSet) {
        return new KeyStep(
                Scripts.LEAVE,
                false,
                (lock, fields, field, lease, out) ->
                        fields.write(mode, field, writesSet.apply(lock, out).arg(NONE)));
    }

    /** What ends a hold, or a reservation, in the key that has it. */
    KeyStep ends() {
        return new KeyStep(
                Scripts.RELEASE, true, (lock, fields, field, lease, out) -> writeLower(lock, fields, field, 0, out));
    }

    @Override
    public void writeForce(LockKeys lock, Args out) {
        lock.writeQueueKeys(out);
        out.arg(mode).arg(CLAIM_WINDOW_MILLIS);
        lock.writeChannel(out);
    }

    @Override
    public boolean queues() {
        return true;
    }

    @Override
    public @Nullable LockKind outOfQueue() {
        return holdKind == HoldKind.PLAIN ? Turning.KIND : null;
    }

    @Override
    public HoldKind holdKind() {
        return holdKind;
    }

    @Override
    public boolean isTransferable() {
        return false;
    }

    @Override
    public LockKind besideAnother() {
        return this;
    }

    /** One half: the readers' or the writer's. */
    @Override
    public boolean frees(LockKind other) {
        return other.isApart() == isApart();
    }

    /** Each node would have another order. The halves of a read/write lock do without one there, a fair lock can't. */
    @Override
    public @Nullable LockKind overNodes() {
        return holdKind == HoldKind.WRITE ? QuorumWriting.KIND : null;
    }

    @Override
    public String toString() {
        return name;
    }
}
