package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One thread that takes and gives back locks, and has each call and its answer written down. */
final class Actor {

    private final Scribe scribe;
    private final String lane;
    private final LockClient client;
    private final LockOptions options;
    private final boolean inTurn;
    private int handles;
    private @Nullable Exception lastFailure;

    /** @param inTurn whether it takes locks in the server's order: as a fair lock, and as a half of a read/write lock */
    Actor(Seen.Sink sink, String lane, LockClient client, LockOptions options, boolean inTurn) {
        this.scribe = new Scribe(lane, sink);
        this.lane = lane;
        this.client = client;
        this.options = options;
        this.inTurn = inTurn;
    }

    private RLock ofThread(String lock) {
        return inTurn ? client.getReadWriteLock(lock, options).writeLock() : client.getLock(lock, options);
    }

    private RLock ofHandle(String lock) {
        return inTurn ? client.getFairLock(lock, options) : client.getLock(lock, options);
    }

    /** A hold that this actor has. */
    final class Held implements Party.Taken {
        final String lock;
        final String owner;
        final long token;
        private final @Nullable LockHold hold;
        private final RLock thread;

        private Held(String lock, String owner, long token, @Nullable LockHold hold, RLock thread) {
            this.lock = lock;
            this.owner = owner;
            this.token = token;
            this.hold = hold;
            this.thread = thread;
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public boolean isExclusive() {
            return !Hold.reads(owner);
        }

        /** The hold itself, if it is no thread's. */
        LockHold hold() {
            if (hold == null) {
                throw new IllegalStateException("lock '" + lock + "' is held by a thread");
            }
            return hold;
        }

        /** Looks whether it is still valid, and until when; a loss is written down. */
        @Override
        public boolean look() {
            long now = System.nanoTime();
            boolean valid;
            long until;
            if (hold != null) {
                long left = hold.validFor().toNanos();
                valid = left > 0;
                until = now + left;
            } else {
                valid = thread.isHeldByCurrentThread();
                until = now;
            }
            if (valid) {
                scribe.see(new Seen.Lasting(lane, lock, owner, token, until, System.nanoTime()));
            } else {
                scribe.see(new Seen.Told(lane, lock, token, Seen.BY_A_LOOK, System.nanoTime()));
            }
            return valid;
        }

        /** Takes it once more and gives that level back; only for a hold of a thread. */
        @Override
        public void again() {
            Held level = hold != null ? null : take(lock, owner, 0, () -> thread.tryLock() ? thread : null);
            if (level != null) {
                level.release();
            }
        }

        @Override
        public Outcome release() {
            String id = scribe.ask(lock, owner, Call.RELEASE, token, 0);
            return answer(id, () -> {
                if (hold != null) {
                    hold.release();
                } else {
                    thread.unlock();
                }
            });
        }
    }

    private interface Taking {
        /** What was taken; null if it was refused. */
        @Nullable
        Object take() throws InterruptedException;
    }

    private interface Giving {
        void give();
    }

    /** Takes the lock for this thread; null if it was not granted. */
    @Nullable
    Held tryLock(String lock, Duration wait) {
        return tryLock(lock, wait, null);
    }

    /** As {@link #tryLock(String, Duration)}, for a fixed lease. */
    @Nullable
    Held tryLock(String lock, Duration wait, @Nullable Duration lease) {
        RLock thread = ofThread(lock);
        return take(
                lock,
                lane,
                wait.toMillis(),
                () -> (lease == null
                                ? thread.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)
                                : thread.tryLock(wait.toNanos(), lease.toNanos(), TimeUnit.NANOSECONDS))
                        ? thread
                        : null);
    }

    /** Takes the lock as a hold of its own; null if it was not granted. */
    @Nullable
    Held tryAcquire(String lock, Duration wait) {
        return tryAcquire(lock, wait, null);
    }

    /** As {@link #tryAcquire(String, Duration)}, for a fixed lease. */
    @Nullable
    Held tryAcquire(String lock, Duration wait, @Nullable Duration lease) {
        RLock shared = ofHandle(lock);
        return take(lock, lane + "#" + ++handles, wait.toMillis(), () -> (lease == null
                        ? shared.tryAcquire(wait)
                        : shared.tryAcquire(wait, lease))
                .orElse(null));
    }

    /** Takes the read half of a read/write lock as a hold of its own; null if it was not granted. */
    @Nullable
    Held tryRead(String lock, Duration wait) {
        RLock half = client.getReadWriteLock(lock, options).readLock();
        return take(lock, Hold.reader(lane, ++handles), wait.toMillis(), () -> half.tryAcquire(wait)
                .orElse(null));
    }

    /** Why the last call was not granted; null if it was refused. */
    @Nullable
    Exception lastFailure() {
        return lastFailure;
    }

    private @Nullable Held take(String lock, String owner, long waitMillis, Taking taking) {
        String id = scribe.ask(lock, owner, Call.ACQUIRE, 0, waitMillis);
        lastFailure = null;
        try {
            Object taken = taking.take();
            long granted = System.nanoTime();
            if (taken == null) {
                scribe.answered(id, Outcome.REFUSED, "", granted);
                return null;
            }
            return granted(id, lock, owner, taken, granted);
        } catch (Exception failure) {
            lastFailure = failure;
            failed(id, Call.ACQUIRE, failure, System.nanoTime());
            return null;
        }
    }

    private @Nullable Held granted(String id, String lock, String owner, Object taken, long grantedNanos) {
        RLock thread = ofThread(lock);
        LockHold hold = taken instanceof LockHold own ? own : null;
        long now = System.nanoTime();
        long until = hold != null ? now + hold.validFor().toNanos() : grantedNanos;
        int count = hold != null ? 1 : thread.getHoldCount();
        long token;
        try {
            token = hold != null ? hold.fencingToken() : thread.getFencingToken();
        } catch (LockLostException lostAlready) {
            // The call was granted, and nothing can be said about the hold but that it is over.
            scribe.answered(id, Outcome.UNKNOWN, "granted, and lost at once", grantedNanos);
            return null;
        }
        scribe.granted(id, token, count, until, grantedNanos);
        if (hold != null) {
            hold.onLost(loss -> scribe.see(
                    new Seen.Told(lane, lock, token, loss.reason() + ": " + loss.detail(), System.nanoTime())));
        }
        return new Held(lock, owner, token, hold, thread);
    }

    private Outcome answer(String id, Giving giving) {
        lastFailure = null;
        try {
            giving.give();
            scribe.answered(id, Outcome.OK, "", System.nanoTime());
            return Outcome.OK;
        } catch (RuntimeException failure) {
            lastFailure = failure;
            return failed(id, Call.RELEASE, failure, System.nanoTime());
        }
    }

    private Outcome failed(String id, Call call, Exception failure, long nanos) {
        String reason = failure.getClass().getSimpleName();
        if (failure instanceof LockLostException lost) {
            return scribe.answered(id, Outcome.LOST, reason + " " + lost.lossReason(), nanos);
        }
        if (failure instanceof InterruptedException || failure instanceof LockOutcomeUnknownException) {
            return scribe.answered(id, Outcome.UNKNOWN, reason, nanos);
        }
        if (!(failure instanceof LockException typed)) {
            scribe.see(new Seen.Problem("ERR", lane + ": unexpected " + failure));
            return scribe.answered(id, Outcome.UNKNOWN, reason, nanos);
        }
        // A release that failed is repeated in the background: it may still come about.
        Outcome outcome = call == Call.RELEASE ? Outcome.UNKNOWN : Outcome.FAIL;
        return scribe.answered(id, outcome, reason + " " + typed.reason(), nanos);
    }
}
