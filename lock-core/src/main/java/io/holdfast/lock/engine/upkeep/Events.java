package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.OnceTask;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happens, each one event at a time and in order, on the callback executor. No listener waits for
 * another. One that falls far behind misses events, but never a loss; and a loss waits no longer than a second for a
 * listener that has not returned (rule 74).
 */
public final class Events {

    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private final ClientFacts facts;
    private final LogLimit failures;
    /** A lane for each listener that is still to be told something. */
    private final Map<ListenerLane.Key, ListenerLane> lanes = new ConcurrentHashMap<>();

    public Events(ClientFacts facts) {
        this.facts = facts;
        this.failures = new LogLimit(facts.runtime());
    }

    public void acquired(Hold hold, long waitedNanos) {
        if (log.isTraceEnabled()) {
            log.trace("lock '{}' acquired by {} with token {}", hold.cell.keys, hold.ownerText(), hold.token);
        }
        tell(hold, LockListener::acquired, waitedNanos, null, "");
    }

    public void transferred(Hold hold) {
        tell(hold, LockListener::transferred, hold.heldNanos(), null, "");
    }

    public void released(Hold hold) {
        if (log.isTraceEnabled()) {
            log.trace("lock '{}' released by {}", hold.cell.keys, hold.ownerText());
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
            LockKeys keys,
            Owner owner,
            List<LockListener> listeners,
            long waitedNanos,
            @Nullable FailureReason reason,
            String detail) {
        if (!listeners.isEmpty()) {
            LockEvent event = new Event(
                    keys.name(),
                    facts.ownerText(owner),
                    OptionalLong.empty(),
                    Duration.ofNanos(waitedNanos),
                    Optional.ofNullable(reason),
                    Optional.empty(),
                    detail.isEmpty() ? Optional.empty() : Optional.of(detail));
            enqueue(listeners, LockListener::refused, event);
        }
    }

    void lost(Hold hold, LockLoss loss) {
        List<LockListener> listeners = hold.options().listeners();
        if (!listeners.isEmpty()) {
            LockEvent event = new Event(
                    loss.name(),
                    loss.owner(),
                    OptionalLong.of(loss.fencingToken()),
                    Duration.ofNanos(hold.heldNanos()),
                    Optional.empty(),
                    Optional.of(loss.reason()),
                    Optional.of(loss.detail()));
            listeners.forEach(listener -> enqueueLoss(listener, event));
        }
    }

    private void tell(
            Hold hold,
            BiConsumer<LockListener, LockEvent> method,
            long tookNanos,
            @Nullable FailureReason reason,
            String detail) {
        List<LockListener> listeners = hold.options().listeners();
        if (!listeners.isEmpty()) {
            LockEvent event = new Event(
                    hold.cell.keys.name(),
                    hold.ownerText(),
                    OptionalLong.of(hold.token),
                    Duration.ofNanos(tookNanos),
                    Optional.ofNullable(reason),
                    Optional.empty(),
                    detail.isEmpty() ? Optional.empty() : Optional.of(detail));
            enqueue(listeners, method, event);
        }
    }

    private void enqueue(List<LockListener> listeners, BiConsumer<LockListener, LockEvent> method, LockEvent event) {
        for (LockListener listener : listeners) {
            ListenerLane.Key key = new ListenerLane.Key(listener);
            ListenerLane lane = open(key);
            if (lane.hasRoom()) {
                lane.run(() -> {
                    begin(lane);
                    tell(() -> method.accept(listener, event));
                    close(key);
                });
            } else {
                close(key);
            }
        }
    }

    private void enqueueLoss(LockListener listener, LockEvent event) {
        OnceTask telling = new OnceTask(() -> tell(() -> listener.lost(event)));
        ListenerLane.Key key = new ListenerLane.Key(listener);
        ListenerLane lane = open(key);
        lane.makeRoom();
        lane.run(() -> {
            begin(lane);
            telling.run();
            close(key);
        });
        facts.callbacks().insist(telling);
    }

    private ListenerLane open(ListenerLane.Key key) {
        return lanes.compute(
                key, (listener, lane) -> (lane == null ? new ListenerLane(facts.callbacks()) : lane).oneMore());
    }

    private void close(ListenerLane.Key key) {
        lanes.computeIfPresent(key, (listener, lane) -> lane.oneLess());
    }

    private void begin(ListenerLane lane) {
        long gap = lane.begin();
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
