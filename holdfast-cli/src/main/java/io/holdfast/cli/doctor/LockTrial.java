package io.holdfast.cli.doctor;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.RSemaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two clients that try what an application does with each kind of lock: one takes it and keeps it for longer than its lease, so
 * that it has to be renewed; the other is refused, waits, and gets it when the first lets go.
 */
public final class LockTrial {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final long HELD_MILLIS = 3_300;
    /** More than a client that hears no message takes to look again. */
    private static final long WAIT_SECONDS = 12;

    private static final long HANGS_AFTER_SECONDS = 30;
    private static final long THREAD = 1;

    private final LockClient one;
    private final LockClient other;
    private final String prefix;

    /** @param prefix what the names of all locks of this trial begin with */
    public LockTrial(LockClient one, LockClient other, String prefix) {
        this.one = one;
        this.other = other;
        this.prefix = prefix;
    }

    /** The options of clients that try. */
    public static LockOptions options() {
        return LockOptions.builder().watchdogLease(LEASE).build();
    }

    /** Tries these kinds, all at a time. */
    public List<TrialOutcome> run(List<TriedKind> kinds) {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "trial");
            thread.setDaemon(true);
            return thread;
        });
        try {
            long start = System.nanoTime();
            List<Future<TrialOutcome>> running = new ArrayList<>();
            kinds.forEach(kind -> running.add(threads.submit(() -> tried(kind))));
            List<TrialOutcome> outcomes = new ArrayList<>();
            for (int i = 0; i < kinds.size(); i++) {
                outcomes.add(outcome(kinds.get(i), running.get(i), start));
            }
            return outcomes;
        } finally {
            threads.shutdownNow();
        }
    }

    private static TrialOutcome outcome(TriedKind kind, Future<TrialOutcome> running, long start) {
        try {
            return running.get(HANGS_AFTER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new TrialOutcome(kind, millisSince(start), interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            return new TrialOutcome(kind, millisSince(start), failure);
        }
    }

    private TrialOutcome tried(TriedKind kind) {
        long start = System.nanoTime();
        String name = prefix + kind.words();
        try {
            switch (kind) {
                case PLAIN -> lock(one.getLock(name), other.getLock(name));
                case FAIR -> lock(one.getFairLock(name), other.getFairLock(name));
                case READ_WRITE -> readWrite(one.getReadWriteLock(name), other.getReadWriteLock(name));
                case SEMAPHORE -> semaphore(one.getSemaphore(name), other.getSemaphore(name));
                case LATCH -> {
                    // Two runs at a time would count each other's down.
                    String own = name + ":" + one.id();
                    latch(one.getCountDownLatch(own), other.getCountDownLatch(own));
                }
            }
            return new TrialOutcome(kind, millisSince(start), null);
        } catch (ExecutionException | CompletionException failure) {
            Throwable cause = failure.getCause();
            return new TrialOutcome(kind, millisSince(start), cause == null ? failure : cause);
        } catch (Exception failure) {
            return new TrialOutcome(kind, millisSince(start), failure);
        }
    }

    private static void lock(RLock mine, RLock theirs) throws Exception {
        check(mine.tryLock(WAIT_SECONDS, TimeUnit.SECONDS), "a lock that nobody holds was not granted");
        check(mine.tryLock(), "its owner did not get it once more");
        staysHeld(theirs::tryLock);
        RFuture<Boolean> next = theirs.tryLockAsync(WAIT_SECONDS, -1, TimeUnit.SECONDS, THREAD);
        mine.unlock();
        check(!theirs.tryLock(), "an unlock gave up the first of two holds");
        mine.unlock();
        check(answer(next), "a waiter did not get the lock");
        theirs.unlockAsync(THREAD).toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
        check(mine.tryLock(WAIT_SECONDS, TimeUnit.SECONDS), "a lock that was released was not granted");
        mine.unlock();
    }

    private static void readWrite(RReadWriteLock mine, RReadWriteLock theirs) throws Exception {
        check(mine.readLock().tryLock(WAIT_SECONDS, TimeUnit.SECONDS), "a reader did not get in");
        check(theirs.readLock().tryLock(), "a second reader did not get in");
        theirs.readLock().unlock();
        staysHeld(theirs.writeLock()::tryLock);
        RFuture<Boolean> next = theirs.writeLock().tryLockAsync(WAIT_SECONDS, -1, TimeUnit.SECONDS, THREAD);
        mine.readLock().unlock();
        check(answer(next), "a writer did not get the lock when the last reader left");
        check(!mine.readLock().tryLock(), "a reader got in beside a writer");
        theirs.writeLock().unlockAsync(THREAD).toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private static void semaphore(RSemaphore mine, RSemaphore theirs) throws Exception {
        // An earlier run has set it, unless this is the first.
        mine.trySetPermits(1);
        check(mine.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS), "a free permit was not granted");
        staysHeld(theirs::tryAcquire);
        RFuture<Boolean> next = theirs.tryAcquireAsync(WAIT_SECONDS, TimeUnit.SECONDS);
        mine.release();
        check(answer(next), "a waiter did not get the permit");
        theirs.release();
    }

    private static void latch(RCountDownLatch mine, RCountDownLatch theirs) throws Exception {
        check(mine.trySetCount(1), "the latch has a count already");
        RFuture<Boolean> open = theirs.awaitAsync(WAIT_SECONDS, TimeUnit.SECONDS);
        check(!mine.await(0, TimeUnit.SECONDS), "the latch was open before its count was 0");
        mine.countDown();
        check(answer(open), "a waiter did not hear that the latch opened");
        mine.delete();
    }

    /** Nobody else gets in, now and after the lease that the first grant brought. */
    private static void staysHeld(Try attempt) throws Exception {
        check(!attempt.succeeds(), "two held it at a time");
        TimeUnit.MILLISECONDS.sleep(HELD_MILLIS);
        check(!attempt.succeeds(), "it was not renewed");
    }

    private static boolean answer(RFuture<Boolean> future) throws Exception {
        return future.toCompletableFuture().get(2 * WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    @FunctionalInterface
    private interface Try {

        boolean succeeds() throws Exception;
    }
}
