package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.call.Backoff;
import io.holdfast.lock.engine.call.OnceTask;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one client that have not ended, so that closing it can wait for them and leaves none behind; and the pauses
 * between them, which have to end before the timers do.
 */
public final class Exchanges {

    private final Runtime runtime;
    private final boolean mayFailOver;
    private final AtomicInteger open = new AtomicInteger();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean closing;

    /** Those that wait before they try again, by what they are about. */
    private final Map<Object, Set<Exchange>> paused = new LinkedHashMap<>();
    /** Whether there are any. */
    private volatile boolean anyPaused;
    /** What comes after pauses of others. */
    private final Set<Runnable> afterPauses = new LinkedHashSet<>();

    private boolean noMorePauses;

    /** @param mayFailOver whether another server may become the primary */
    public Exchanges(Runtime runtime, boolean mayFailOver) {
        this.runtime = runtime;
        this.mayFailOver = mayFailOver;
    }

    Runtime runtime() {
        return runtime;
    }

    /** How long to pause after so many failures, of which the latest is this. */
    long pauseNanos(int failures, Fault fault) {
        return Backoff.nanos(failures, fault.kind(), mayFailOver, runtime);
    }

    void begun() {
        open.incrementAndGet();
    }

    void ended() {
        if (open.decrementAndGet() == 0 && closing) {
            idle.complete(null);
        }
    }

    /** Whether an exchange may wait before it tries again. */
    synchronized boolean mayPause(Exchange exchange) {
        if (noMorePauses) {
            return false;
        }
        anyPaused = true;
        exchange.pauses++;
        return paused.computeIfAbsent(exchange.subject(), none -> new LinkedHashSet<>())
                .add(exchange);
    }

    /** Whether a pause of this number is over; false if it was ended before, though another may have begun. */
    synchronized boolean resume(Exchange exchange, byte number) {
        Set<Exchange> together = paused.get(exchange.subject());
        if (together == null || exchange.pauses != number || !together.remove(exchange)) {
            return false;
        }
        if (together.isEmpty()) {
            forget(exchange.subject());
        }
        return true;
    }

    private @Nullable Set<Exchange> forget(Object subject) {
        Set<Exchange> together = paused.remove(subject);
        anyPaused = !paused.isEmpty();
        return together;
    }

    /** Ends the pauses of what is about the same as a gate, whose present step has yet to ask for that (rule 134). */
    public void hasten(SerialGate present) {
        if (!anyPaused) {
            return;
        }
        Set<Exchange> together;
        synchronized (this) {
            together = forget(present.subject());
        }
        if (together != null) {
            together.forEach(exchange -> exchange.tryAhead(present));
        }
    }

    /** Runs a step after a pause, or as soon as pauses end: in any case, and once. */
    public void after(long pauseNanos, Runnable step) {
        Runnable once = new OnceTask(step);
        boolean pauses;
        synchronized (this) {
            pauses = !noMorePauses && afterPauses.add(once);
        }
        if (!pauses) {
            once.run();
            return;
        }
        runtime.after(pauseNanos, () -> {
            synchronized (this) {
                afterPauses.remove(once);
            }
            once.run();
        });
    }

    /** Completes when all have ended. Only for closing: a client that goes on is never done. */
    public CompletableFuture<Void> idle() {
        closing = true;
        if (open.get() == 0) {
            idle.complete(null);
        }
        return idle;
    }

    /** Whether all have ended. */
    public boolean areIdle() {
        return open.get() == 0;
    }

    /**
     * Ends all pauses: lets all exchanges try for the last time, and completes when they have. Then the stores are closed, and the
     * timers with them.
     */
    public CompletableFuture<Void> endPauses() {
        List<Exchange> waiting;
        List<Runnable> others;
        synchronized (this) {
            noMorePauses = true;
            waiting = paused.values().stream().flatMap(Set::stream).toList();
            paused.clear();
            anyPaused = false;
            others = new ArrayList<>(afterPauses);
            afterPauses.clear();
        }
        others.forEach(Runnable::run);
        return CompletableFuture.allOf(waiting.stream().map(Exchange::lastTry).toArray(CompletableFuture[]::new));
    }
}
