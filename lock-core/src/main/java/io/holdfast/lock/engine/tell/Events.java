package io.holdfast.lock.engine.tell;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Telling;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.tell.ToldCall.Hearer;
import io.holdfast.lock.jfr.FlightRecording;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happens, each one event at a time and in order, on the callback executor. No listener waits for
 * another. One that falls far behind misses events, but never a loss; and a loss waits no longer than a second for a
 * listener that has not returned (rule 74).
 *
 * <p>A call that listeners were told of as started ends for them once: acquired, re-entered or refused. What was acquired ends
 * once: released, transferred or lost.
 */
public final class Events {

    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private final ClientFacts facts;
    private final LogLimit failures;
    private final Lanes lanes;
    private final FlightRecording recording = FlightRecording.ofThisJava();

    public Events(ClientFacts facts) {
        this.facts = facts;
        this.failures = new LogLimit(facts.runtime());
        this.lanes = new Lanes(facts.callbacks(), failures);
    }

    /** The client is being closed: what listeners are still told, they are told at once. */
    public void close() {
        lanes.close();
    }

    // --- calls ---

    /**
     * A call begins, on the caller's thread.
     *
     * @return the terms of the call: those of its lock, where none listens
     */
    public Terms started(Terms terms, LockKeys keys) {
        List<LockListener> listeners = terms.options().listeners();
        boolean recorded = recording.isOn();
        if (listeners.isEmpty() && !recorded) {
            return terms;
        }
        String name = keys.name();
        List<ListenerLane> told = lanes.of(listeners);
        Hearer[] hearers = new Hearer[told.size()];
        for (int i = 0; i < hearers.length; i++) {
            ListenerLane lane = told.get(i);
            hearers[i] = new Hearer(lane, context(lane.listener, name));
        }
        return terms.told(new ToldCall(hearers, recording, recorded ? recording.started(name) : null));
    }

    private @Nullable Object context(LockListener listener, String name) {
        try {
            return listener.started(name);
        } catch (RuntimeException | Error broken) {
            if (failures.permits()) {
                Logging.attempt(() -> log.warn("a listener failed at the start of a call", broken));
            }
            return null;
        }
    }

    /** A call has to wait for others, or for a fault to pass. It is told once. */
    public void waiting(Terms terms, LockKeys keys, Owner owner, long waitedNanos, int position) {
        ToldCall call = call(terms.telling());
        if (call != null && call.beginsToWait()) {
            call.tell(
                    LockListener::waiting,
                    new Event(
                            keys.name(),
                            facts.ownerText(owner),
                            OptionalLong.empty(),
                            Duration.ofNanos(waitedNanos),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            OptionalInt.of(position),
                            false,
                            false,
                            null));
        }
    }

    /**
     * The lock is handed over to this call, and will be granted to it.
     *
     * @param isLocal whether the server is not asked
     */
    public void handedOver(Terms terms, boolean isLocal) {
        ToldCall call = call(terms.telling());
        if (call != null) {
            call.handOver(isLocal);
        }
    }

    public void acquired(Hold hold, long waitedNanos) {
        if (log.isTraceEnabled()) {
            log.trace("{} acquired by {} with token {}", hold.cell.keys.named(), hold.ownerText(), hold.token);
        }
        ToldCall call = call(hold.terms().telling());
        if (call != null) {
            call.tell(
                    LockListener::acquired,
                    event(hold, waitedNanos, null, null, "", call.isHandedOver(), call.isHandedOn()));
            LockLoss early = call.begun(hold);
            if (early != null) {
                tellLoss(call, hold, early);
            }
        }
    }

    /** A call has got a hold that its owner had. */
    public void reentered(Terms terms, Hold hold, long waitedNanos) {
        ToldCall call = call(terms.telling());
        if (call != null) {
            call.tell(LockListener::reentered, event(hold, waitedNanos, null, null, "", false, false));
        }
    }

    /**
     * A call has ended without the lock.
     *
     * @param waitedNanos how long it has waited
     */
    public void refused(
            Terms terms, LockKeys keys, Owner owner, long waitedNanos, FailureReason reason, String detail) {
        ToldCall call = call(terms.telling());
        if (call != null) {
            call.tell(
                    LockListener::refused,
                    new Event(
                            keys.name(),
                            facts.ownerText(owner),
                            OptionalLong.empty(),
                            Duration.ofNanos(waitedNanos),
                            Optional.of(reason),
                            Optional.empty(),
                            detail(detail),
                            OptionalInt.empty(),
                            false,
                            false,
                            null));
        }
    }

    // --- holds ---

    /**
     * A hold is handed over to another call.
     *
     * @param isLocal whether the server is not asked
     */
    public void transferred(Hold hold, boolean isLocal) {
        ToldCall call = call(hold.terms().telling());
        if (call != null && call.hasBegun(hold)) {
            call.tell(LockListener::transferred, event(hold, hold.heldNanos(), null, null, "", false, isLocal));
        }
    }

    public void released(Hold hold) {
        if (log.isTraceEnabled()) {
            log.trace("{} released by {}", hold.cell.keys.named(), hold.ownerText());
        }
        tell(hold, LockListener::released, hold.heldNanos(), null, "");
    }

    /** A hold has ended, and whether the server has heard of it is not known. */
    public void releaseFailed(Hold hold, FailureReason reason, String detail) {
        tell(hold, LockListener::released, hold.heldNanos(), reason, detail);
    }

    public void renewed(Hold hold, long tookNanos) {
        tell(hold, LockListener::renewed, tookNanos, null, "");
    }

    public void renewalFailed(Hold hold, long tookNanos, FailureReason reason, String detail) {
        tell(hold, LockListener::renewalFailed, tookNanos, reason, detail);
        if (isOlderThanRecording(hold)) {
            Logging.attempt(() -> recording.renewalFailed(event(hold, tookNanos, reason, null, detail, false, false)));
        }
    }

    public void lost(Hold hold, LockLoss loss) {
        ToldCall call = call(hold.terms().telling());
        if (call != null && call.mayTell(hold, loss)) {
            tellLoss(call, hold, loss);
        }
        if (isOlderThanRecording(hold)) {
            Logging.attempt(() -> recording.lost(lossOf(hold, loss)));
        }
    }

    private static void tellLoss(ToldCall call, Hold hold, LockLoss loss) {
        call.tellLoss(lossOf(hold, loss));
    }

    private static Event lossOf(Hold hold, LockLoss loss) {
        return event(hold, hold.heldNanos(), null, loss, loss.detail(), false, false);
    }

    /** Recordings begin when something is wrong, and what goes wrong then may be held for days: so its end is not left out. */
    private boolean isOlderThanRecording(Hold hold) {
        ToldCall call = call(hold.terms().telling());
        return recording.isOn() && (call == null || !call.isRecorded()) && !hold.isReserved();
    }

    private static void tell(
            Hold hold,
            BiConsumer<LockListener, LockEvent> method,
            long tookNanos,
            @Nullable FailureReason reason,
            String detail) {
        ToldCall call = call(hold.terms().telling());
        if (call != null && call.hasBegun(hold)) {
            call.tell(method, event(hold, tookNanos, reason, null, detail, false, false));
        }
    }

    private static Event event(
            Hold hold,
            long tookNanos,
            @Nullable FailureReason reason,
            @Nullable LockLoss loss,
            String detail,
            boolean handedOver,
            boolean isLocal) {
        return new Event(
                hold.cell.keys.name(),
                hold.ownerText(),
                OptionalLong.of(hold.token),
                Duration.ofNanos(tookNanos),
                Optional.ofNullable(reason),
                Optional.ofNullable(loss).map(LockLoss::reason),
                detail(detail),
                OptionalInt.empty(),
                handedOver,
                isLocal,
                null);
    }

    // --- connections ---

    /** Has the listeners of the client's own options told of the connections to a store, and a recording. */
    public void listen(Store store) {
        List<LockListener> listeners = facts.options().lockOptions().listeners();
        store.backend().listenToConnections(new ToldConnections(lanes.of(listeners), recording));
    }

    private static Optional<String> detail(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static @Nullable ToldCall call(@Nullable Telling telling) {
        return (ToldCall) telling;
    }
}
