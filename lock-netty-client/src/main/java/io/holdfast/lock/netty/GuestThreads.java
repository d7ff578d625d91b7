package io.holdfast.lock.netty;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread for each call into code of a user that a connection needs, which ends with the call.
 *
 * <p>No pool: a connection never waits until another call, or a callback, has left a thread. The calls are as rare as
 * reconnects, and those that bring them have few under way. Threads of the operating system on every JDK, so that callbacks
 * which keep the carriers of virtual threads busy hold up no connection either.
 */
final class GuestThreads implements Executor {

    private final String namePrefix;
    private final AtomicLong made = new AtomicLong();

    GuestThreads(String namePrefix) {
        this.namePrefix = namePrefix;
    }

    @Override
    public void execute(Runnable call) {
        Thread thread =
                new Thread(null, () -> CallbackPool.runCallback(call), namePrefix + made.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(GuestThreads.class.getClassLoader());
        thread.start();
    }
}
