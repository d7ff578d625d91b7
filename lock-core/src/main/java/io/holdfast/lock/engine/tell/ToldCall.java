package io.holdfast.lock.engine.tell;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Telling;
import io.holdfast.lock.jfr.FlightRecording;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of which listeners hear, with what each of them wants to be reminded of.
 *
 * <p>It knows of which hold they were told as acquired: nothing is told of a hold before that, nor of one that a MultiLock took
 * and gave back. A loss that any thread has seen before waits for it.
 */
final class ToldCall implements Telling {

    /** One listener's part. */
    record Hearer(ListenerLane lane, @Nullable Object context) {}

    /** A loss that came before its hold was told of. */
    private record Early(Hold hold, LockLoss loss) {}

    private final Hearer[] hearers;
    private final FlightRecording recording;
    /** What the recording is reminded of; null if none was on when the call started. */
    private final @Nullable Object recorded;
    /** Null, the {@link Hold} that was told of, or an {@link Early} loss. */
    private final AtomicReference<@Nullable Object> told = new AtomicReference<>();

    private volatile boolean waits;
    private volatile boolean handedOver;
    private volatile boolean handedOn;

    ToldCall(Hearer[] hearers, FlightRecording recording, @Nullable Object recorded) {
        this.hearers = hearers;
        this.recording = recording;
        this.recorded = recorded;
    }

    void tell(BiConsumer<LockListener, LockEvent> method, Event event) {
        for (Hearer hearer : hearers) {
            hearer.lane.tell(method, event.with(hearer.context));
        }
        record(method, event);
    }

    void tellLoss(Event event) {
        for (Hearer hearer : hearers) {
            hearer.lane.tellLoss(event.with(hearer.context));
        }
        record(LockListener::lost, event);
    }

    /** Whether a recording was on when the call started: then it is told of everything that comes of it. */
    boolean isRecorded() {
        return recorded != null;
    }

    private void record(BiConsumer<LockListener, LockEvent> method, Event event) {
        if (recorded != null) {
            Logging.attempt(() -> method.accept(recording, event.with(recorded)));
        }
    }

    /** Whether the call begins to wait: true once. Within the steps of its cell. */
    boolean beginsToWait() {
        boolean first = !waits;
        waits = true;
        return first;
    }

    /** The lock was handed over to this call. */
    void handOver(boolean isLocal) {
        handedOver = true;
        handedOn = isLocal;
    }

    boolean isHandedOver() {
        return handedOver;
    }

    /** Whether the server was not asked for that. */
    boolean isHandedOn() {
        return handedOn;
    }

    /** Listeners were told of this hold; returns its loss if that came before. */
    @Nullable
    LockLoss begun(Hold hold) {
        return told.getAndSet(hold) instanceof Early early && early.hold == hold ? early.loss : null;
    }

    /** Whether listeners were told of this hold. */
    boolean hasBegun(Hold hold) {
        return told.get() == hold;
    }

    /** A hold was lost; false if listeners were not told of it yet, and then they hear of the loss behind that. */
    boolean mayTell(Hold hold, LockLoss loss) {
        Object present = told.get();
        while (!(present instanceof Hold)) {
            if (told.compareAndSet(present, new Early(hold, loss))) {
                return false;
            }
            present = told.get();
        }
        return present == hold;
    }
}
