package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A clock that stands still until the test moves it; everything runs on the test's thread. */
public final class ManualRuntime implements Runtime {
    /** Below zero, as a monotonic clock may be. */
    private static final long START_NANOS = -TimeUnit.SECONDS.toNanos(5);

    private long nowNanos = START_NANOS;

    private long timersMade;
    private final PriorityQueue<Due> timers = new PriorityQueue<>(
            Comparator.<Due>comparingLong(due -> due.atNanos - START_NANOS).thenComparingLong(due -> due.number));
    private final Random random;
    private Executor steps = Runnable::run;
    private Executor callbacks = Runnable::run;
    private Executor losses = Runnable::run;
    private Executor elections = Runnable::run;
    private long gatheringNanos;
    private Runnable atTheClock = () -> {};
    private boolean cancelsTooLate;
    private Blocker blocker = new NoWaiting();

    private record Due(long atNanos, long number, Runnable step) {}

    public ManualRuntime(long seed) {
        this.random = new Random(seed);
    }

    /** Moves the clock, and runs each timer at its time. */
    public void advanceMillis(long millis) {
        long untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        for (Due due = timers.peek(); due != null && due.atNanos - untilNanos <= 0; due = timers.peek()) {
            timers.poll();
            nowNanos += Math.max(due.atNanos - nowNanos, 0);
            due.step.run();
        }
        nowNanos = untilNanos;
    }

    /** Moves the clock past timers that do not run, as when a JVM stood still and the timer thread is late. */
    void jumpMillis(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Where callbacks run from now on; at first on the thread that brings them. */
    public void gathering(long nanos) {
        gatheringNanos = nanos;
    }

    @Override
    public long gatheringNanos() {
        return gatheringNanos;
    }

    public void callbacks(Executor executor) {
        callbacks = executor;
    }

    /** Where long runs of steps go on from now on; at first on the thread that brings them. */
    public void steps(Executor executor) {
        steps = executor;
    }

    /** Where losses are told from now on; at first on the thread that brings them. */
    public void losses(Executor executor) {
        losses = executor;
    }

    /** Where it is told how elections stand from now on; at first on the thread that brings it. */
    public void elections(Executor executor) {
        elections = executor;
    }

    /** What happens on another thread, as it were, whenever the engine looks at the clock. */
    void atTheClock(Runnable meanwhile) {
        atTheClock = meanwhile;
    }

    /** From now on every timer has begun to run when it is cancelled, so that its step comes anyway. */
    public void cancelsTooLate() {
        cancelsTooLate = true;
    }

    public int timers() {
        return timers.size();
    }

    /** How often a timer was asked for. */
    public long timersMade() {
        return timersMade;
    }

    @Override
    public long nanos() {
        Runnable meanwhile = atTheClock;
        atTheClock = () -> {};
        meanwhile.run();
        atTheClock = meanwhile;
        return nowNanos;
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        Due due = new Due(nowNanos + delayNanos, timersMade++, step);
        timers.add(due);
        return () -> {
            if (!cancelsTooLate) {
                timers.remove(due);
            }
        };
    }

    @Override
    public long random(long bound) {
        return Math.floorMod(random.nextLong(), bound);
    }

    @Override
    public Executor steps() {
        return task -> steps.execute(task);
    }

    @Override
    public Executor callbacks() {
        return task -> callbacks.execute(task);
    }

    @Override
    public Executor losses() {
        return task -> losses.execute(task);
    }

    @Override
    public Executor elections() {
        return task -> elections.execute(task);
    }

    /** Threads of the test wait in this way; else they must not. */
    void waitsBy(Blocker chosen) {
        blocker = chosen;
    }

    @Override
    public Blocker blocker() {
        return blocker;
    }

    private static final class NoWaiting implements Blocker {

        @Override
        public boolean mayWait() {
            return false;
        }

        @Override
        public void await(Awaited awaited) {
            throw new IllegalStateException("the test's only thread must not wait");
        }

        @Override
        public void unblock(Thread thread) {}
    }
}
