package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.hold.Grant;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.kind.Verb;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import java.util.Objects;

/** Takes the lock. */
class AcquireCall extends StoreSteps.Call {

    /** What a semaphore answers that will never have so many permits. */
    private static final int ABOVE_LIMIT = -1;

    final Asker asker;
    private final byte[] field;

    private AcquireCall(
            StoreSteps at,
            LockKind kind,
            LockKeys lock,
            Asker asker,
            byte[] field,
            long deadlineNanos,
            StepListener step) {
        super(at, kind.script(Verb.ACQUIRE), lock, deadlineNanos, step);
        this.asker = asker;
        this.field = field;
    }

    static AcquireCall of(
            StoreSteps at, LockKeys lock, Asker asker, byte[] field, long deadlineNanos, StepListener step) {
        LockKind kind = at.spoken(asker.kind());
        return kind.takesTurns() && asker.tokens() > 1
                ? new ToHandOn(at, kind, lock, asker, field, deadlineNanos, step)
                : new AcquireCall(at, kind, lock, asker, field, deadlineNanos, step);
    }

    /** In whose words it asks. */
    private LockKind kind() {
        LockKind kind = asker.kind();
        return script == kind.script(Verb.ACQUIRE) ? kind : kind.withoutTurns();
    }

    @Override
    public void encode(Args out) {
        kind().writeAcquire(keys, at.fields, asker, field, out);
    }

    @Override
    public void onReply(Reply reply) {
        if (reply.integer(0) == 1 && reply.integer(1) == 0 && MovingAcquire.canTake(keys, asker)) {
            inSteps().mint(sentNanos);
        } else {
            super.onReply(reply);
        }
    }

    @Override
    boolean goesOnKeyByKey() {
        boolean canTake = MovingAcquire.canTake(keys, asker);
        if (canTake) {
            inSteps().take();
        }
        return canTake;
    }

    @Override
    void failed(Fault fault) {
        if (StoreSteps.mayDoWithoutTurns(kind(), fault)) {
            at.sendToGrant(new AcquireCall(at, kind().withoutTurns(), keys, asker, field, deadlineNanos, step) {
                @Override
                Outcome read(Reply reply) {
                    at.isWithoutTurns(fault);
                    return super.read(reply);
                }
            });
        } else {
            super.failed(fault);
        }
    }

    /** The lock's keys are not at one node, or were not when an earlier request took it. */
    private MovingAcquire inSteps() {
        return new MovingAcquire(at, this, keys, asker, field, step);
    }

    @Override
    Outcome read(Reply reply) {
        if (leaves()) {
            at.ended.removed(keys, Queued.FAIR, Objects.requireNonNull(asker.heldBeside()), sentNanos, run);
        }
        return switch ((int) reply.integer(0)) {
            case 1 -> granted(reply);
            case ABOVE_LIMIT -> aboveLimit(reply.integer(1));
            default -> refused(reply);
        };
    }

    private Outcome aboveLimit(long limit) {
        return new Outcome.Failed(new Fault(
                Fault.Kind.ABOVE_LIMIT,
                false,
                at.store.node(),
                "more permits are asked for at once than there are (expected: at most the limit, " + limit + ")"));
    }

    Outcome.Granted granted(Reply reply) {
        boolean anew = asker.kind().queues() && reply.integer(2) == 1;
        StoreLease lease = StoreLease.granted(at.store, run, sentNanos, asker.leaseMillis());
        boolean left = leaves() && reply.integer(3) == 1;
        return new Outcome.Granted(Tokens.of(reply), lease, anew, left, Outcome.Others.NONE);
    }

    private boolean leaves() {
        return asker.kind() instanceof Awaiting;
    }

    private Outcome.Refused refused(Reply reply) {
        return asker.kind().queues()
                ? new Outcome.Refused(
                        reply.integer(1),
                        false,
                        (int) reply.integer(2),
                        reply.integer(3) == 1,
                        leaves() && reply.integer(4) == 1)
                : new Outcome.Refused(reply.integer(1), false);
    }

    /** Where the server does not count, a place in its queue is left like an outcome that is not known. */
    @Override
    Outcome uncounted(Judgement judgement) {
        Reply answer = judgement.answer();
        boolean isPlaced =
                answer != null && answer.integer(0) == 0 && refused(answer).place() != Outcome.Refused.NO_PLACE;
        return isPlaced
                ? new Outcome.Failed(judgement.leaving(), false, judgement.restNanos())
                : StoreSteps.notGranted(judgement);
    }

    /** With tokens, so that the lock may be handed on from there. */
    private static final class ToHandOn extends AcquireCall {

        private final int disconnections;

        ToHandOn(
                StoreSteps at,
                LockKind kind,
                LockKeys lock,
                Asker asker,
                byte[] field,
                long deadlineNanos,
                StepListener step) {
            super(at, kind, lock, asker, field, deadlineNanos, step);
            this.disconnections = at.store.disconnections();
        }

        @Override
        Outcome.Granted granted(Reply reply) {
            long token = Tokens.of(reply);
            int tokens = reply.size() > 2 ? (int) reply.integer(2) : 1;
            StoreLease lease = StoreLease.granted(at.store, run, sentNanos, asker.askedMillis());
            Grant grant =
                    new Grant(lease, asker.leaseMillis(), asker.watched(), token, tokens, sentNanos, disconnections);
            return new Outcome.Granted(token, grant.first(sentNanos), StoreSteps.others(reply));
        }
    }
}
