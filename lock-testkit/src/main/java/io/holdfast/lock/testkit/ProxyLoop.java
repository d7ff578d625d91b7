package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a {@link FaultProxy}, to which all of its sockets and rules belong. Other threads hand it steps and
 * wait for their end; that is why a rule is in force when the call that set it returns.
 */
final class ProxyLoop implements AutoCloseable {
    private final Selector selector;
    private final Thread thread;
    private final Pass pass;
    private final List<Task<?>> tasks = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private boolean ended;
    private volatile boolean closing;
    private volatile @Nullable Throwable failure;

    /** What is done between two looks at the sockets. */
    interface Pass {
        /** Returns how long the loop may sleep if no socket becomes ready. */
        long run(long nowNanos);
    }

    /** Hears that a socket is ready; attached to its key. */
    interface Ready {
        void ready(SelectionKey key, long nowNanos);
    }

    private record Task<T>(Supplier<T> step, CompletableFuture<T> result) {
        void run() {
            try {
                result.complete(step.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        }
    }

    private record Wait(BooleanSupplier condition, CompletableFuture<Void> met) {}

    ProxyLoop(String name, Pass pass) {
        this.pass = pass;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("can't open a selector for " + name, e);
        }
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Registers a non-blocking channel with no interest yet; on the loop's thread. */
    SelectionKey register(SelectableChannel channel, Ready ready) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, 0, ready);
    }

    /** Closes channels so that the other side notices at once: a registered one really closes at the next selection. */
    void release(SelectableChannel... channels) {
        try {
            for (SelectableChannel channel : channels) {
                channel.close();
            }
            selector.selectNow();
            // That selection may have used up a wake-up that was meant for the loop's own.
            selector.wakeup();
        } catch (IOException e) {
            throw new UncheckedIOException("can't close a connection of " + thread.getName(), e);
        }
    }

    /** Runs a step on the loop's thread and waits for it. */
    <T> T call(Supplier<T> step) {
        if (Thread.currentThread() == thread) {
            return step.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        synchronized (tasks) {
            requireRunning();
            tasks.add(new Task<>(step, result));
        }
        selector.wakeup();
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    void run(Runnable step) {
        call(() -> {
            step.run();
            return true;
        });
    }

    /**
     * Waits until a condition over the proxy's state is met.
     *
     * @throws IllegalStateException when it isn't within the limit
     */
    void await(BooleanSupplier condition, Duration limit, Supplier<String> complaint) {
        Wait wait = new Wait(condition, new CompletableFuture<>());
        run(() -> waits.add(wait));
        try {
            wait.met().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException(call(complaint), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: " + call(complaint), e);
        }
    }

    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException(thread.getName() + " had failed", cause);
        }
    }

    private void run() {
        try {
            while (!closing) {
                takeTasks().forEach(Task::run);
                long sleepNanos = pass.run(System.nanoTime());
                settleWaits();
                select(sleepNanos);
            }
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        } finally {
            end();
        }
    }

    private List<Task<?>> takeTasks() {
        synchronized (tasks) {
            List<Task<?>> taken = List.copyOf(tasks);
            tasks.clear();
            return taken;
        }
    }

    private void settleWaits() {
        waits.removeIf(wait -> {
            boolean met = wait.condition().getAsBoolean();
            return (met && wait.met().complete(null)) || wait.met().isDone();
        });
    }

    private void select(long sleepNanos) throws IOException {
        if (sleepNanos == Long.MAX_VALUE) {
            selector.select();
        } else {
            selector.select(TimeUnit.NANOSECONDS.toMillis(sleepNanos) + 1);
        }
        long nowNanos = System.nanoTime();
        List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        for (SelectionKey key : ready) {
            if (key.isValid()) {
                ((Ready) key.attachment()).ready(key, nowNanos);
            }
        }
    }

    private void end() {
        synchronized (tasks) {
            ended = true;
        }
        IllegalStateException closed = new IllegalStateException(thread.getName() + " is closed", failure);
        takeTasks().forEach(task -> task.result().completeExceptionally(closed));
        waits.forEach(wait -> wait.met().completeExceptionally(closed));
        try {
            for (SelectionKey key : List.copyOf(selector.keys())) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
    }

    private void requireRunning() {
        if (ended) {
            throw new IllegalStateException(thread.getName() + " is closed", failure);
        }
    }
}
