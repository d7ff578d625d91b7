package io.holdfast.lock.engine.kind;

import io.holdfast.lock.engine.key.Fields;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The reentrant lock of clients that take turns (rules 105, 109, 114): its holder is kept as that of any plain lock, and beside it
 * stands which clients want it.
 */
public final class Turning extends Reentrant {

    public static final LockKind KIND = new Turning("0");

    /** How a client says that it may take long to come when it is called: one for each step of its distance. */
    private static final String FAR = "*";

    private static final KeyStep RELEASES = new KeyStep(
            Scripts.RELEASE,
            true,
            (lock, fields, field, lease, out) -> Reentrant.KIND.writeLower(lock, fields, field, 0, out));

    /** What a release says of the calls of its client. */
    private final byte[] waiting;

    private Turning(String waiting) {
        this.waiting = waiting.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Script script(Verb verb) {
        return switch (verb) {
            case ACQUIRE -> Scripts.TURN_ACQUIRE;
            case RELEASE -> Scripts.TURN_RELEASE;
            case TRANSFER -> Scripts.TURN_TRANSFER;
            case PROPOSE -> Scripts.TURN_PROPOSE;
            default -> super.script(verb);
        };
    }

    @Override
    public void writeAcquire(LockKeys lock, Fields fields, Asker asker, byte[] field, Args out) {
        boolean goesOn = asker.tokens() > 1;
        lock.writeKeyAndClock(out);
        lock.writeTurns(out);
        if (goesOn) {
            lock.writeQueue(out);
        }
        writeField(fields, field, out).arg(asker.askedMillis()).arg(keepsToken(lock));
        if (asker.waitsLong()) {
            out.arg(distance(asker.distance()).getBytes(StandardCharsets.US_ASCII));
        } else {
            out.arg(0);
        }
        lock.writeChannel(out);
        if (goesOn) {
            out.arg(asker.tokens());
        }
    }

    private static String distance(int steps) {
        return steps == 0 ? "1" : FAR.repeat(steps);
    }

    private static int keepsToken(LockKeys lock) {
        return lock.layout.keepsToken() ? 1 : 0;
    }

    @Override
    public void writeRelease(LockKeys lock, Fields fields, byte[] field, Args out) {
        lock.writeQueue(lock.writeTurns(lock.writeKey(out)));
        writeField(fields, field, out).arg(0);
        lock.writeChannel(out);
        out.arg(waiting);
    }

    @Override
    public void writeTransfer(
            LockKeys lock, Fields fields, byte[] from, byte[] to, long leaseMillis, int tokens, Args out) {
        lock.writeKeyAndClock(out);
        lock.writeQueue(lock.writeTurns(out));
        writeField(fields, from, out);
        writeField(fields, to, out).arg(leaseMillis).arg(keepsToken(lock)).arg(tokens);
    }

    /** Whose turn is next is not said then: the waiters are told that the lock is free. */
    @Override
    public List<KeyStep> keyByKey(Verb verb) {
        return verb == Verb.RELEASE ? List.of(RELEASES) : super.keyByKey(verb);
    }

    @Override
    public void writePropose(LockKeys lock, Fields fields, Proposal proposal, Args out) {
        lock.writeKeyAndClock(out);
        lock.writeTurns(out);
        writeProposal(lock, fields, proposal, out).arg(proposal.sinceMicros);
        out.arg(distance(proposal.distance).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public LockKind givingWay(int distance) {
        return new Turning(2 + FAR.repeat(distance));
    }

    @Override
    public LockKind endingTurn(int distance) {
        return new Turning(distance(distance));
    }

    @Override
    public LockKind inQueue() {
        return Queued.PLAIN;
    }

    @Override
    public boolean takesTurns() {
        return true;
    }

    @Override
    public LockKind withoutTurns() {
        return Reentrant.KIND;
    }
}
