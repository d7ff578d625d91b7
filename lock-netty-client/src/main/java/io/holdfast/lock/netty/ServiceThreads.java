package io.holdfast.lock.netty;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;

/**
 * Makes the daemon threads on which connections and timers live, and tells when the last of them has ended.
 *
 * <p>They are a class of their own, so that asking "may this thread wait?" is one instanceof. Their context class
 * loader is the library's, not that of whoever happened to make the first call: otherwise a client could keep an
 * application alive that was undeployed.
 */
final class ServiceThreads implements ThreadFactory {

    private final String namePrefix;
    private final CompletableFuture<Void> allEnded = new CompletableFuture<>();

    private int made;
    private int running;
    private boolean closing;

    ServiceThreads(String namePrefix) {
        this.namePrefix = namePrefix;
    }

    /** Whether the current thread serves connections or timers, of any client. */
    static boolean onServiceThread() {
        return Thread.currentThread() instanceof ServiceThread;
    }

    @Override
    public Thread newThread(Runnable work) {
        return new ServiceThread(work, namePrefix + nextNumber());
    }

    /** Call this when all threads were asked to end; the stage completes when the last one does. */
    CompletionStage<Void> ended() {
        boolean none;
        synchronized (this) {
            closing = true;
            none = running == 0;
        }
        if (none) {
            allEnded.complete(null);
        }
        return allEnded;
    }

    private synchronized int nextNumber() {
        return ++made;
    }

    private synchronized void started() {
        running++;
    }

    private void stopped() {
        boolean last;
        synchronized (this) {
            running--;
            last = closing && running == 0;
        }
        if (last) {
            allEnded.complete(null);
        }
    }

    private final class ServiceThread extends FastThreadLocalThread {

        ServiceThread(Runnable work, String name) {
            super(work, name);
            setDaemon(true);
            setContextClassLoader(ServiceThreads.class.getClassLoader());
        }

        @Override
        public synchronized void start() {
            started();
            super.start();
        }

        @Override
        public void run() {
            try {
                super.run();
            } finally {
                stopped();
            }
        }
    }
}
