package io.holdfast.lock.engine.tell;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.call.Callbacks;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.OnceTask;
import io.holdfast.lock.engine.call.SerialGate;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one listener is still to be told, in order, on the callback executor. What it misses is counted, and it is told the
 * number: everything was told or is in that number.
 */
final class ListenerLane {

    private static final Logger log = LoggerFactory.getLogger(ListenerLane.class);

    /**
     * How many events wait for a listener: what 16 threads make while its thread has to wait for a processor. They take some 30
     * MB; as many losses may wait besides.
     */
    static final int BACKLOG = 100_000;

    final LockListener listener;
    private final Callbacks callbacks;
    private final LogLimit failures;
    private final SerialGate gate;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger waitingLosses = new AtomicInteger();
    /** Events that were missed, and that it was not told of yet. */
    private final AtomicLong missed = new AtomicLong();

    ListenerLane(LockListener listener, Callbacks callbacks, LogLimit failures) {
        this.listener = listener;
        this.callbacks = callbacks;
        this.failures = failures;
        this.gate = new SerialGate(callbacks);
    }

    /** Tells an event after those before it, unless the listener is too far behind. */
    <E> void tell(BiConsumer<LockListener, E> method, E event) {
        if (waiting.incrementAndGet() > BACKLOG) {
            waiting.decrementAndGet();
            miss();
            return;
        }
        gate.runElsewhere(() -> {
            waiting.decrementAndGet();
            attempt(() -> method.accept(listener, event));
        });
    }

    /** Tells a loss: in its turn, or after a second beside a method that has not returned. It is never missed. */
    void tellLoss(LockEvent loss) {
        OnceTask telling = new OnceTask(() -> attempt(() -> listener.lost(loss)));
        if (waitingLosses.incrementAndGet() > BACKLOG) {
            waitingLosses.decrementAndGet();
        } else {
            gate.runElsewhere(() -> {
                waitingLosses.decrementAndGet();
                telling.run();
            });
        }
        callbacks.insist(telling);
    }

    /** The first that is missed puts the telling of the number behind what waits; those that follow are in the same number. */
    private void miss() {
        if (missed.getAndIncrement() == 0) {
            gate.runElsewhere(() -> {
                long events = missed.getAndSet(0);
                if (failures.permits()) {
                    Logging.attempt(() -> log.warn("a listener is too slow: {} events were not told", events));
                }
                attempt(() -> listener.missed(events));
            });
        }
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
