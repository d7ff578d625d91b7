package io.holdfast.lock.netty.credentials;

import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;

/** A clock that goes on when it is told to, timers that follow it, and callbacks that run when they are told to. */
final class ManualRuntime implements Runtime {

    private final List<Due> timers = new ArrayList<>();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private long nanos = 5;

    private record Due(long atNanos, Runnable step) {}

    /** Lets time pass, and what is due in it happen. */
    void pass(long byNanos) {
        nanos += byNanos;
        for (Due due : List.copyOf(timers)) {
            if (due.atNanos <= nanos && timers.remove(due)) {
                due.step.run();
            }
        }
    }

    /** Runs the callbacks that were brought; tells how many these were. */
    int runCallbacks() {
        int ran = 0;
        for (Runnable callback = callbacks.poll(); callback != null; callback = callbacks.poll()) {
            callback.run();
            ran++;
        }
        return ran;
    }

    int timers() {
        return timers.size();
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        Due due = new Due(nanos + delayNanos, step);
        timers.add(due);
        return () -> timers.remove(due);
    }

    @Override
    public long random(long bound) {
        return 0;
    }

    @Override
    public Executor steps() {
        return Runnable::run;
    }

    @Override
    public Executor callbacks() {
        return callbacks::add;
    }

    @Override
    public Blocker blocker() {
        throw new UnsupportedOperationException("logins never wait");
    }
}
