package memory;

import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The way to a store in memory: one thread that answers, and one for code of users. It shares nothing with the stores of
 * other tests, because it shows that another project can write one on the module path.
 */
final class MemoryBackend implements Backend, Runtime, Blocker {

    private final String url;
    private final MemoryStore store;
    private final ScheduledExecutorService answers = Executors.newSingleThreadScheduledExecutor(Answering::new);
    private final Executor callbacks = Executors.newSingleThreadExecutor(MemoryBackend::daemon);

    MemoryBackend(String url, MemoryStore store) {
        this.url = url;
        this.store = store;
    }

    @Override
    public void send(ScriptCall call) {
        try {
            answers.execute(() -> answer(call));
        } catch (RejectedExecutionException closed) {
            call.onFault(new Fault(Fault.Kind.CLOSED, false, url, "closed"));
        }
    }

    private void answer(ScriptCall call) {
        if (!call.beginWriting()) {
            call.onFault(new Fault(Fault.Kind.UNREACHABLE, false, url, "taken back"));
            return;
        }
        MemoryStore.Words words = new MemoryStore.Words();
        call.encode(words);
        call.onReply(new Answer(store.run(call.script.name(), words)));
    }

    @Override
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        return () -> {};
    }

    @Override
    public Object shard(int slot) {
        return this;
    }

    @Override
    public ServerRun run() {
        return ServerRun.UNKNOWN;
    }

    @Override
    public void listen(NodeListener listener) {}

    @Override
    public Runtime runtime() {
        return this;
    }

    @Override
    public String describe() {
        return url;
    }

    @Override
    public CompletionStage<Void> close(long graceNanos) {
        answers.shutdown();
        return CompletableFuture.completedFuture(null);
    }

    // --- time and threads ---

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Timer after(long delayNanos, Runnable step) {
        try {
            Future<?> due = answers.schedule(step, delayNanos, TimeUnit.NANOSECONDS);
            return () -> due.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    @Override
    public long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    @Override
    public Executor steps() {
        return answers;
    }

    @Override
    public Executor callbacks() {
        return callbacks;
    }

    @Override
    public Blocker blocker() {
        return this;
    }

    // --- waiting ---

    @Override
    public boolean mayWait() {
        return !(Thread.currentThread() instanceof Answering);
    }

    @Override
    public void await(Awaited awaited) {
        while (!awaited.isDone() && !Thread.currentThread().isInterrupted()) {
            LockSupport.park(awaited);
        }
    }

    @Override
    public void unblock(Thread thread) {
        LockSupport.unpark(thread);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "memory-callback");
        thread.setDaemon(true);
        return thread;
    }

    /** The thread that answers, and so must not wait for an answer. */
    private static final class Answering extends Thread {

        Answering(Runnable work) {
            super(work, "memory-answers");
            setDaemon(true);
        }
    }
}
