package io.holdfast.lock.engine;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.spi.Runtime;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happens, one event at a time and in order, on the callback executor. A listener that falls far
 * behind misses events, but never a loss; and a loss waits no longer than a second for a listener that has not returned
 * (rule 74).
 */
final class Events {

    private static final Logger log = LoggerFactory.getLogger(Events.class);
    private static final int BACKLOG = 10_000;

    private final Engine engine;
    private final SerialGate gate;
    private final Runtime runtime;
    private final LogLimit failures;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong missed = new AtomicLong();

    Events(Engine engine) {
        this.engine = engine;
        this.gate = new SerialGate(engine.callbacks());
        this.runtime = engine.runtime();
        this.failures = new LogLimit(runtime);
    }

    void acquired(Hold hold, long waitedNanos) {
        if (log.isTraceEnabled()) {
            log.trace("lock '{}' acquired by {} with token {}", hold.cell.names, hold.ownerText(), hold.token);
        }
        tell(hold, LockListener::acquired, waitedNanos, null, "");
    }

    void transferred(Hold hold) {
        tell(hold, LockListener::transferred, hold.heldNanos(), null, "");
    }

    void released(Hold hold) {
        if (log.isTraceEnabled()) {
            log.trace("lock '{}' released by {}", hold.cell.names, hold.ownerText());
        }
        tell(hold, LockListener::released, hold.heldNanos(), null, "");
    }

    void renewed(Hold hold, long tookNanos) {
        tell(hold, LockListener::renewed, tookNanos, null, "");
    }

    void renewalFailed(Hold hold, long tookNanos, FailureReason reason, String detail) {
        tell(hold, LockListener::renewalFailed, tookNanos, reason, detail);
    }

    void refused(LockNames names, Ticket ticket, @Nullable FailureReason reason, String detail) {
        LockListener listener = ticket.options.listener();
        if (listener != LockListener.NONE) {
            long waited = ticket.waitedNanos(runtime.nanos());
            LockEvent event = new Event(
                    names.name(),
                    engine.ownerText(ticket.owner),
                    OptionalLong.empty(),
                    Duration.ofNanos(waited),
                    Optional.ofNullable(reason),
                    Optional.empty(),
                    detail.isEmpty() ? Optional.empty() : Optional.of(detail));
            enqueue(() -> listener.refused(event));
        }
    }

    void lost(Hold hold, LockLoss loss) {
        LockListener listener = hold.options.listener();
        if (listener != LockListener.NONE) {
            LockEvent event = new Event(
                    loss.name(),
                    loss.owner(),
                    OptionalLong.of(loss.fencingToken()),
                    Duration.ofNanos(hold.heldNanos()),
                    Optional.empty(),
                    Optional.of(loss.reason()),
                    Optional.of(loss.detail()));
            Errand telling = new Errand(() -> tell(() -> listener.lost(event)));
            waiting.incrementAndGet();
            gate.runElsewhere(() -> {
                begin();
                telling.run();
            });
            engine.callbacks().insist(telling);
        }
    }

    private void tell(
            Hold hold,
            BiConsumer<LockListener, LockEvent> method,
            long tookNanos,
            @Nullable FailureReason reason,
            String detail) {
        LockListener listener = hold.options.listener();
        if (listener != LockListener.NONE) {
            LockEvent event = new Event(
                    hold.cell.names.name(),
                    hold.ownerText(),
                    OptionalLong.of(hold.token),
                    Duration.ofNanos(tookNanos),
                    Optional.ofNullable(reason),
                    Optional.empty(),
                    detail.isEmpty() ? Optional.empty() : Optional.of(detail));
            enqueue(() -> method.accept(listener, event));
        }
    }

    private void enqueue(Runnable telling) {
        if (waiting.incrementAndGet() > BACKLOG) {
            waiting.decrementAndGet();
            missed.incrementAndGet();
            return;
        }
        gate.runElsewhere(() -> {
            begin();
            tell(telling);
        });
    }

    private void begin() {
        waiting.decrementAndGet();
        long gap = missed.getAndSet(0);
        if (gap > 0 && failures.permits()) {
            Logging.attempt(() -> log.warn("a listener is too slow: {} events were not told", gap));
        }
    }

    private void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error broken) {
            if (failures.permits()) {
                Logging.attempt(() -> log.warn("a listener failed", broken));
            }
        }
    }
}
