package io.holdfast.lock.engine.tell;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.call.Callbacks;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.OnceTask;
import io.holdfast.lock.engine.call.SerialGate;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one listener is still to be told, in order, on the callback executor. What it misses is counted, and it is told the
 * number: everything was told or is in that number.
 *
 * <p>Where the runtime says so, events are gathered for a moment, since to wake a thread for each of them costs more than the
 * lock of which it tells. A loss goes at once, with what was gathered before it.
 */
final class ListenerLane {

    private static final Logger log = LoggerFactory.getLogger(ListenerLane.class);

    /**
     * How many events wait for a listener: what 16 threads make while its thread has to wait for a processor. They take some 30
     * MB; as many losses may wait besides, and all of them once the client is being closed.
     */
    static final int BACKLOG = 100_000;

    private static final int EVENTS_PER_TURN = 128;

    final LockListener listener;
    private final Callbacks callbacks;
    private final LogLimit failures;
    private final SerialGate gate;
    private final Queue<Runnable> gathered = new ConcurrentLinkedQueue<>();
    /** Whether a timer runs for what was gathered. */
    private final AtomicBoolean due = new AtomicBoolean();

    private final long gatheringNanos;
    /** Whether nothing is gathered, or not any more. */
    private volatile boolean prompt;
    /** Whether the client is being closed: then no timer comes. */
    private volatile boolean closing;

    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger waitingLosses = new AtomicInteger();
    /** Events that were missed, and that it was not told of yet. */
    private final AtomicLong missed = new AtomicLong();

    ListenerLane(LockListener listener, Callbacks callbacks, LogLimit failures) {
        this.listener = listener;
        this.callbacks = callbacks;
        this.failures = failures;
        this.gate = new SerialGate(callbacks);
        this.gatheringNanos = callbacks.gatheringNanos();
        this.prompt = gatheringNanos == 0;
    }

    /** Tells an event after those before it, unless the listener is too far behind. */
    <E> void tell(BiConsumer<LockListener, E> method, E event) {
        if (waiting.incrementAndGet() > BACKLOG) {
            waiting.decrementAndGet();
            miss();
            return;
        }
        gather(() -> {
            waiting.decrementAndGet();
            attempt(() -> method.accept(listener, event));
        });
    }

    /**
     * Tells a loss: in its turn, or after a second beside a method that has not returned. It is never missed. Closing loses all
     * holds at once, and no second passes any more: then all wait here.
     */
    void tellLoss(LockEvent loss) {
        OnceTask telling = new OnceTask(() -> attempt(() -> listener.lost(loss)));
        if (waitingLosses.incrementAndGet() > BACKLOG && !closing) {
            waitingLosses.decrementAndGet();
        } else {
            gathered.add(() -> {
                waitingLosses.decrementAndGet();
                telling.run();
            });
            tellGathered();
        }
        callbacks.insist(telling);
    }

    /** The first that is missed puts the telling of the number behind what waits; those that follow are in the same number. */
    private void miss() {
        if (missed.getAndIncrement() == 0) {
            gather(() -> {
                long events = missed.getAndSet(0);
                if (failures.permits()) {
                    Logging.attempt(() -> log.warn("a listener is too slow: {} events were not told", events));
                }
                attempt(() -> listener.missed(events));
            });
        }
    }

    /** From now on the listener is told at once: the client is being closed, and its timer with it. */
    void stopGathering() {
        closing = true;
        prompt = true;
        tellGathered();
    }

    private void gather(Runnable telling) {
        gathered.add(telling);
        if (!prompt && !due.get() && due.compareAndSet(false, true)) {
            callbacks.later(gatheringNanos, this::tellGathered);
        }
        // Last: what is gathered here after a look at it there is seen here.
        if (prompt) {
            tellGathered();
        }
    }

    private void tellGathered() {
        due.set(false);
        gate.runElsewhere(this::tellTurn);
    }

    private void tellTurn() {
        for (int told = 0; told < EVENTS_PER_TURN; told++) {
            Runnable telling = gathered.poll();
            if (telling == null) {
                return;
            }
            telling.run();
        }
        gate.runElsewhere(this::tellTurn);
    }

    private void attempt(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error broken) {
            if (failures.permits()) {
                Logging.attempt(() -> log.warn("a listener failed", broken));
            }
        }
    }
}
