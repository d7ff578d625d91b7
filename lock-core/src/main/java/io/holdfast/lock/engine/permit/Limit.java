package io.holdfast.lock.engine.permit;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.kind.Scripts;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.LongToIntFunction;
import java.util.function.ToIntFunction;

/**
 * How many permits a semaphore has, and how many of them are taken. A change names the version that it is meant for and has an id,
 * so that it takes effect once (rule 56).
 */
final class Limit {

    private static final byte[] NONE = "0".getBytes(StandardCharsets.US_ASCII);

    private final SemaphoreParts parts;
    private final ClientFacts facts;
    private final PermitKeys keys;
    private final Named named;

    Limit(SemaphoreParts parts, PermitKeys keys) {
        this.parts = parts;
        this.facts = parts.facts();
        this.keys = keys;
        this.named = keys.named();
    }

    // --- looks ---

    /** Asks what there is, and tells part of it. */
    <P extends Pending<Integer>> P look(ToIntFunction<SemaphoreState> part, P result) {
        return look(part::applyAsInt).ask(result);
    }

    private <T> Query<T> look(Function<SemaphoreState, T> answer) {
        return parts.query(
                keys,
                Scripts.PERMIT_LOOK,
                false,
                keys::writePermitsAndLimit,
                reply -> answer.apply(SemaphoreState.of(reply)));
    }

    // --- changes ---

    void check(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException(
                    named + ": limit: " + permits + " (expected: 0 to " + Integer.MAX_VALUE + " permits)");
        }
    }

    /** Sets it if there is none. */
    <P extends Pending<Boolean>> P setIfNone(int permits, P result) {
        check(permits);
        change(newId(), NONE, permits).ask(parts.dueNanos(), new Query.Hearer<>() {
            @Override
            public void answered(LimitAnswer answer, boolean repeated) {
                // The first limit of all has the id of the call that set it: it is another's, or this would be done.
                if (!answer.isDone() && repeated && answer.version() > 1) {
                    result.fail(inDoubt());
                } else {
                    result.complete(answer.isDone());
                }
            }

            @Override
            public void failed(LockException failure) {
                result.fail(failure);
            }
        });
        return result;
    }

    /** Sets it, whatever it is. */
    <P extends Pending<Done>> P set(int permits, P result) {
        check(permits);
        new Change(limit -> permits, result).start();
        return result;
    }

    /** Makes it greater or less by so much. */
    <P extends Pending<Done>> P add(int permits, P result) {
        new Change(limit -> sum(limit, permits), result).start();
        return result;
    }

    private int sum(long limit, int more) {
        long wanted = limit + more;
        if (wanted < 0 || wanted > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(named + ": limit: " + limit + (more < 0 ? " - " : " + ")
                    + Math.abs((long) more) + " (expected: 0 to " + Integer.MAX_VALUE + " permits in all)");
        }
        return (int) wanted;
    }

    private LockException inDoubt() {
        return Failures.unknown(
                named,
                facts.node(),
                FailureReason.NO_ANSWER,
                "the limit was changed by another call, and an answer to this one was lost");
    }

    /** @param id of the change: that of all its requests, and of no other change */
    private Query<LimitAnswer> change(byte[] id, byte[] expected, int permits) {
        return parts.query(
                keys,
                Scripts.PERMIT_LIMIT,
                true,
                out -> {
                    keys.writeQueueKeys(out);
                    facts.fields().write(id, out.arg(expected).arg(permits)).arg(Queued.CLAIM_WINDOW_MILLIS);
                    keys.writeChannel(out);
                },
                LimitAnswer::of);
    }

    private byte[] newId() {
        return facts.newField(Owner.thread(Thread.currentThread().getId()));
    }

    /**
     * Looks what the limit is, and sets what it is to be, under the version that was seen; again, if another call has changed it
     * meanwhile. So a copy that comes late changes nothing that was set since.
     */
    private final class Change implements Query.Hearer<LimitAnswer> {

        private final byte[] id = newId();
        private final long dueNanos = parts.dueNanos();
        private final LongToIntFunction wanted;
        private final Pending<Done> result;

        Change(LongToIntFunction wanted, Pending<Done> result) {
            this.wanted = wanted;
            this.result = result;
        }

        void start() {
            look(state -> state).ask(dueNanos, new Query.Hearer<>() {
                @Override
                public void answered(SemaphoreState state, boolean repeated) {
                    set(state.limit(), state.version());
                }

                @Override
                public void failed(LockException failure) {
                    result.fail(failure);
                }
            });
        }

        private void set(long limit, long version) {
            int permits;
            try {
                permits = wanted.applyAsInt(limit);
            } catch (IllegalArgumentException outOfRange) {
                result.fail(outOfRange);
                return;
            }
            byte[] expected = Long.toString(version).getBytes(StandardCharsets.US_ASCII);
            change(id, expected, permits).ask(dueNanos, this);
        }

        @Override
        public void answered(LimitAnswer answer, boolean repeated) {
            if (answer.isDone()) {
                result.complete(Done.DONE);
            } else if (repeated) {
                result.fail(inDoubt());
            } else {
                set(answer.limit(), answer.version());
            }
        }

        @Override
        public void failed(LockException failure) {
            result.fail(failure);
        }
    }
}
