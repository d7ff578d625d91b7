package io.holdfast.lock.engine.kind;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Span;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;

/**
 * The permits of a semaphore, of which as many are taken as its limit says (rules 55 to 57). Each is a field with a deadline of
 * its own; what a call takes together is named by a {@link Span}. A permit is taken once, by an owner
 * that is new each time.
 */
public final class Permits extends Queued {

    /** Each permit belongs to the call that took it, and is given back by its id. */
    public static final LockKind BY_ID = new Permits("permit");
    /** The permits belong to the client: each of its threads gives back those that it took, or one of another thread (rule 123). */
    public static final LockKind OF_CLIENT = new Permits("permit of the client");

    private Permits(String name) {
        super(HoldKind.PERMIT, name, "p");
    }

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> Scripts.PERMIT_JOIN;
            case RELEASE -> Scripts.PERMIT_PART;
            case RENEW -> Scripts.PERMIT_KEEP;
            case REENTER, LOWER, FORCE, TRANSFER, PROPOSE, ADOPT, JOIN ->
                throw new UnsupportedOperationException("a permit has no " + verb);
        };
    }

    @Override
    public void writeAcquire(LockKeys lock, Fields fields, Asker asker, byte[] span, Args out) {
        lock.writeQueueKeys(out);
        fields.write(span, out)
                .arg(asker.leaseMillis())
                .arg(asker.waits() ? 1 : 0)
                .arg(CLAIM_WINDOW_MILLIS)
                .arg(PRESENCE_MILLIS);
        lock.writeChannel(out);
    }

    @Override
    public void writeRelease(LockKeys lock, Fields fields, byte[] span, Args out) {
        lock.writeQueueKeys(out);
        fields.write(span, out).arg(CLAIM_WINDOW_MILLIS);
        lock.writeChannel(out);
    }

    @Override
    KeyStep ends() {
        return new KeyStep(Scripts.LEAVE, true, (lock, fields, span, lease, out) -> {
            lock.writeKey(out);
            lock.writeChannel(out);
            for (int i = 0; i < Span.size(span); i++) {
                fields.write(Span.field(span, i), out);
            }
        });
    }

    @Override
    public boolean isAnonymous() {
        return this == OF_CLIENT;
    }

    @Override
    public boolean isCounted() {
        return false;
    }

    @Override
    public boolean excludes(LockKind other) {
        return false;
    }

    @Override
    public boolean includes(LockKind other) {
        return other == this;
    }
}
