package io.holdfast.lock.engine.step;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Asker;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;

/**
 * Takes a lock whose slot is being moved from one node of a cluster to another, so that its key and that of its token clock may
 * be at different ones: in steps with one key each (rule 99). The lock is <em>taken</em> without a token, a token is
 * <em>minted</em>, and the lock is <em>confirmed</em> to have both; only then is it granted.
 *
 * <p>A step that fails ends it. Then the field may be there, without a token: the call that is repeated goes on from there.
 */
final class MovingAcquire {

    private final StoreSteps at;
    private final ScriptCall first;
    private final LockKeys keys;
    private final Asker asker;
    private final byte[] field;
    private final StepListener step;
    private boolean overdue;

    /**
     * Steps that go on from a call.
     *
     * @param first the call, which may be given up at any time: then no more steps are written
     * @param keys what the lock is called at the store
     */
    MovingAcquire(StoreSteps at, ScriptCall first, LockKeys keys, Asker asker, byte[] field, StepListener step) {
        this.at = at;
        this.first = first;
        this.keys = keys;
        this.asker = asker;
        this.field = field;
        this.step = step;
    }

    /**
     * Whether a lock of this kind, with these keys, is taken in such steps. One in the queue would leave its place behind; with
     * Redisson's keys it has none for a token.
     */
    static boolean canTake(LockKeys keys, Asker asker) {
        return asker.kind().holdKind() == HoldKind.PLAIN && !asker.kind().queues() && keys.layout.keepsToken();
    }

    void take() {
        send(new OneKey(Scripts.TAKE, now()) {
            @Override
            public void encode(Args out) {
                at.fields.write(field, keys.writeKey(out)).arg(asker.leaseMillis());
            }

            @Override
            public void onReply(Reply reply) {
                if (reply.integer(0) == 0) {
                    step.ended(new Outcome.Refused(reply.integer(1), false));
                } else if (reply.integer(1) == 0) {
                    mint(sentNanos);
                } else {
                    granted(reply.integer(1), run, sentNanos);
                }
            }
        });
    }

    /**
     * Goes on from a lock that was taken.
     *
     * @param takenNanos when it was asked for
     */
    void mint(long takenNanos) {
        send(new OneKey(Scripts.MINT, now()) {
            @Override
            public void encode(Args out) {
                keys.writeClock(out);
            }

            @Override
            public void onReply(Reply reply) {
                confirm(reply.integer(), takenNanos);
            }

            @Override
            public void onFault(Fault fault) {
                failed(fault);
            }
        });
    }

    private void confirm(long token, long takenNanos) {
        send(new OneKey(Scripts.CONFIRM, now()) {
            @Override
            public void encode(Args out) {
                at.fields.write(field, keys.writeKey(out)).arg(token);
            }

            @Override
            public void onReply(Reply reply) {
                if (reply.integer() == 0) {
                    step.ended(new Outcome.Failed(new Fault(
                            Fault.Kind.TRYAGAIN, false, at.store.node(), "its lease was over before it had a token")));
                } else {
                    granted(reply.integer(), run, takenNanos);
                }
            }

            @Override
            public void onFault(Fault fault) {
                failed(fault);
            }
        });
    }

    private void granted(long token, ServerRun run, long takenNanos) {
        StoreLease lease = StoreLease.granted(at.store, run, takenNanos, asker.leaseMillis());
        step.ended(new Outcome.Granted(token, lease));
    }

    /** The lock was taken, whatever became of this step. */
    private void failed(Fault fault) {
        step.ended(new Outcome.Failed(new Fault(fault.kind(), true, fault.node(), fault.detail())));
    }

    private long now() {
        return at.store.backend().runtime().nanos();
    }

    private void send(OneKey call) {
        at.store.backend().send(call);
    }

    /** A step with one key. */
    private abstract class OneKey extends ScriptCall {

        OneKey(Script script, long sentNanos) {
            super(script, MovingAcquire.this.keys.slot, sentNanos, first.deadlineNanos);
        }

        /** Its undo may be written already. */
        @Override
        public boolean beginWriting() {
            return !first.isGivenUp() && super.beginWriting();
        }

        @Override
        public final void onOverdue() {
            if (!overdue) {
                overdue = true;
                step.overdue();
            }
        }

        @Override
        public void onFault(Fault fault) {
            step.ended(new Outcome.Failed(fault));
        }
    }
}
