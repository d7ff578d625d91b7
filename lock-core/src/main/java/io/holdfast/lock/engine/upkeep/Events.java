package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Errand;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.key.LockNames;
import io.holdfast.lock.engine.key.Owner;
import java.time.Duration;
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
public final class Events {

    private static final Logger log = LoggerFactory.getLogger(Events.class);
    private static final int BACKLOG = 10_000;

    private final ClientFacts facts;
    private final SerialGate gate;
    private final LogLimit failures;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong missed = new AtomicLong();

    public Events(ClientFacts facts) {
        this.facts = facts;
        this.gate = new SerialGate(facts.callbacks());
        this.failures = new LogLimit(facts.runtime());
    }

    public void acquired(Hold hold, long waitedNanos) {
        if (log.isTraceEnabled()) {
            log.trace("lock '{}' acquired by {} with token {}", hold.cell.names, hold.ownerText(), hold.token);
        }
        tell(hold, LockListener::acquired, waitedNanos, null, "");
    }

    public void transferred(Hold hold) {
        tell(hold, LockListener::transferred, hold.heldNanos(), null, "");
    }

    public void released(Hold hold) {
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

    /**
     * A call has ended without the lock.
     *
     * @param waitedNanos how long it has waited
     */
    public void refused(
            LockNames names,
            Owner owner,
            LockListener listener,
            long waitedNanos,
            @Nullable FailureReason reason,
            String detail) {
        if (listener != LockListener.NONE) {
            LockEvent event = new LockEvent(
                    names.name(), facts.ownerText(owner), 0, Duration.ofNanos(waitedNanos), reason, detail);
            enqueue(() -> listener.refused(event));
        }
    }

    void lost(Hold hold, LockLoss loss) {
        LockListener listener = hold.options.listener();
        if (listener != LockListener.NONE) {
            LockEvent event = new LockEvent(
                    loss.lockName(),
                    loss.owner(),
                    loss.fencingToken(),
                    Duration.ofNanos(hold.heldNanos()),
                    loss.reason(),
                    loss.detail());
            Errand telling = new Errand(() -> tell(() -> listener.lost(event)));
            waiting.incrementAndGet();
            gate.runElsewhere(() -> {
                begin();
                telling.run();
            });
            facts.callbacks().insist(telling);
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
            LockEvent event = new LockEvent(
                    hold.cell.names.name(), hold.ownerText(), hold.token, Duration.ofNanos(tookNanos), reason, detail);
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
