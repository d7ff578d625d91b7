package io.holdfast.lock.netty;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;

/**
 * Makes the daemon threads on which connections and timers live, and tells when the last of them has ended.
 *
 * <p>They are a class of their own, so that asking "may this thread wait?" is one instanceof. Their context class
 * loader is the library's, not that of the thread that made the first call: otherwise a client could keep an
 * application alive that was undeployed.
 */
final class ServiceThreads implements ThreadFactory {

    private final String namePrefix;
    private final CompletableFuture<Void> allEnded = new CompletableFuture<>();

    /**
     * Threads that have not ended. Not counted when they start: on JDK 21 and later pools start theirs by another way
     * than {@link Thread#start}.
     */
    private final Set<Thread> threads = new HashSet<>();

    private int made;
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
        synchronized (this) {
            Thread thread = new ServiceThread(work, namePrefix + ++made);
            threads.add(thread);
            return thread;
        }
    }

    /** Call this when all threads were asked to end; the stage completes when the last one does. */
    CompletionStage<Void> ended() {
        boolean none;
        synchronized (this) {
            closing = true;
            none = noneAlive();
        }
        if (none) {
            allEnded.complete(null);
        }
        return allEnded;
    }

    private boolean noneAlive() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    private void stopped() {
        boolean last;
        synchronized (this) {
            threads.remove(Thread.currentThread());
            last = closing && noneAlive();
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
        public void run() {
            try {
                super.run();
            } finally {
                stopped();
            }
        }
    }
}
