package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;

/** The reentrant lock on one store: each step is one script call. */
final class ReentrantKind implements LockKind {

    private final Backend backend;
    private final LockNames names;

    ReentrantKind(Backend backend, LockNames names) {
        this.backend = backend;
        this.names = names;
    }

    @Override
    public void acquire(byte[] field, long leaseMillis, long deadlineNanos, Step step) {
        backend.send(new Call(Scripts.ACQUIRE, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).key(names.clockBytes);
                out.arg(field).arg(leaseMillis).arg(names.keepsToken ? 1 : 0);
            }

            @Override
            Outcome read(Reply reply) {
                return reply.integer(0) == 1
                        ? new Outcome.Granted(reply.integer(1), sentNanos)
                        : new Outcome.Refused(reply.integer(1));
            }
        });
    }

    @Override
    public void reenter(byte[] field, int count, long leaseMillis, long deadlineNanos, Step step) {
        backend.send(new Call(Scripts.REENTER, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).arg(field).arg(count).arg(leaseMillis);
            }

            @Override
            Outcome read(Reply reply) {
                return doneOrGone(reply.integer(), 0);
            }
        });
    }

    @Override
    public void release(byte[] field, int count, long deadlineNanos, Step step) {
        backend.send(new Call(Scripts.RELEASE, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).arg(field).arg(count).arg(names.channelBytes);
            }

            @Override
            Outcome read(Reply reply) {
                return doneOrGone(reply.integer(0), reply.integer(1));
            }
        });
    }

    @Override
    public void transfer(byte[] from, byte[] to, long leaseMillis, long deadlineNanos, Step step) {
        backend.send(new Call(Scripts.TRANSFER, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).key(names.clockBytes);
                out.arg(from).arg(to).arg(leaseMillis).arg(names.keepsToken ? 1 : 0);
            }

            @Override
            Outcome read(Reply reply) {
                return reply.integer(0) == 1 ? new Outcome.Granted(reply.integer(1), sentNanos) : new Outcome.Gone();
            }
        });
    }

    @Override
    public void extend(byte[] field, long leaseMillis, long deadlineNanos, Step step) {
        backend.send(new Call(Scripts.RENEW, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).arg(field).arg(leaseMillis);
            }

            @Override
            Outcome read(Reply reply) {
                return doneOrGone(reply.integer(0), 0);
            }
        });
    }

    @Override
    public void force(long deadlineNanos, Step step) {
        backend.send(new Call(Scripts.FORCE, deadlineNanos, step) {
            @Override
            public void encode(Args out) {
                out.key(names.keyBytes).arg(names.channelBytes);
            }

            @Override
            Outcome read(Reply reply) {
                return doneOrGone(reply.integer(), 0);
            }
        });
    }

    @Override
    public boolean transferable() {
        return true;
    }

    /** A call that remembers when it set out, and passes its end on as an outcome. */
    private abstract class Call extends ScriptCall {

        final long sentNanos = backend.runtime().nanos();
        private final Step step;

        Call(Script script, long deadlineNanos, Step step) {
            super(script, names.slot, deadlineNanos);
            this.step = step;
        }

        abstract Outcome read(Reply reply);

        final Outcome doneOrGone(long done, long listeners) {
            return done == 1 ? new Outcome.Done(sentNanos, listeners) : new Outcome.Gone();
        }

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
