package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;

/** The steps of a reentrant lock on one store: each is one script call. */
final class StoreSteps {

    final Store store;
    private final LockNames names;

    StoreSteps(Store store, LockNames names) {
        this.store = store;
        this.names = names;
    }

    /** Takes a free lock: granted, refused or failed. */
    void acquire(byte[] field, long leaseMillis, long deadlineNanos, Step step) {
        send(new Call(Scripts.ACQUIRE, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                names.writeKeyAndClock(out);
                out.arg(field).arg(leaseMillis).arg(names.naming.keepsToken() ? 1 : 0);
            }

            @Override
            Outcome read(Reply reply) {
                return reply.integer(0) == 1
                        ? granted(reply.integer(1), sentNanos, leaseMillis)
                        : new Outcome.Refused(reply.integer(1), 0);
            }
        });
    }

    /** Raises the hold count: done, gone or failed. */
    void reenter(Hold hold, int count, long leaseMillis, long deadlineNanos, Step step) {
        hold.willAskFor(leaseMillis);
        send(new Call(Scripts.REENTER, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).arg(hold.field).arg(count).arg(leaseMillis);
            }

            @Override
            Outcome read(Reply reply) {
                return raised(hold, reply.integer() == 1, sentNanos, leaseMillis, "at a re-entry");
            }
        });
    }

    /** Lowers the hold count, to nothing for 0: done, gone or failed. */
    void release(byte[] field, int count, long deadlineNanos, Step step) {
        send(new Call(Scripts.RELEASE, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).arg(field).arg(count);
                names.writeChannel(out);
            }

            @Override
            Outcome read(Reply reply) {
                return reply.integer(0) == 1 ? Outcome.Done.toldTo(reply.integer(1)) : new Outcome.Gone();
            }
        });
    }

    /** Hands the lock over: granted, gone or failed. */
    void transfer(byte[] from, byte[] to, long leaseMillis, long deadlineNanos, Step step) {
        send(new Call(Scripts.TRANSFER, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                names.writeKeyAndClock(out);
                out.arg(from).arg(to).arg(leaseMillis).arg(names.naming.keepsToken() ? 1 : 0);
            }

            @Override
            Outcome read(Reply reply) {
                return reply.integer(0) == 1 ? granted(reply.integer(1), sentNanos, leaseMillis) : new Outcome.Gone();
            }
        });
    }

    /** Makes the lease last at least so long: done, gone or failed. */
    void extend(Hold hold, long leaseMillis, long deadlineNanos, Step step) {
        hold.willAskFor(leaseMillis);
        send(new Call(Scripts.RENEW, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).arg(hold.field).arg(leaseMillis);
            }

            @Override
            Outcome read(Reply reply) {
                return raised(hold, reply.integer(0) == 1, sentNanos, leaseMillis, "when it was extended");
            }
        });
    }

    /** Frees the lock whoever holds it: done, gone or failed. */
    void force(long deadlineNanos, Step step) {
        send(new Call(Scripts.FORCE, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes);
                names.writeChannel(out);
            }

            @Override
            Outcome read(Reply reply) {
                return reply.integer() == 1 ? new Outcome.Done(0) : new Outcome.Gone();
            }
        });
    }

    private Outcome granted(long token, long sentNanos, long leaseMillis) {
        return new Outcome.Granted(token, StoreLease.granted(store, sentNanos, leaseMillis));
    }

    private Outcome raised(Hold hold, boolean known, long sentNanos, long leaseMillis, String when) {
        StoreLease lease = hold.leases.at(store);
        if (known) {
            hold.raise(lease, sentNanos, leaseMillis, store.backend().runtime().nanos());
            return new Outcome.Done(0);
        }
        hold.forgottenBy(lease, when);
        return new Outcome.Gone();
    }

    private void send(Call call) {
        store.backend().send(call);
    }

    /** A call that remembers when it set out, and passes its end on as an outcome. */
    private abstract class Call extends ScriptCall {

        final long sentNanos = store.backend().runtime().nanos();
        private final Step step;

        Call(Script script, long deadlineNanos, Step step) {
            super(script, names.slot, deadlineNanos);
            this.step = step;
        }

        abstract Outcome read(Reply reply);

        @Override
        public final void onOverdue() {
            step.overdue();
        }

        @Override
        public final void onReply(Reply reply) {
            step.ended(read(reply));
        }

        @Override
        public final void onFault(Fault fault) {
            step.ended(new Outcome.Failed(fault));
        }
    }
}
