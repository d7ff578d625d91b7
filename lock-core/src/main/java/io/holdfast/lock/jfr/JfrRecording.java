package io.holdfast.lock.jfr;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LossReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Writes into the flight recordings that run. */
final class JfrRecording implements FlightRecording {

    /** Not read before a recording has begun: until then the recorder is not even set up. */
    private static final class Types {

        private static final List<EventType> ALL = List.of(
                EventType.getEventType(AcquireEvent.class),
                EventType.getEventType(HoldEvent.class),
                EventType.getEventType(LostEvent.class),
                EventType.getEventType(RenewalFailedEvent.class),
                EventType.getEventType(ReconnectEvent.class));

        private static boolean anyEnabled() {
            for (int i = 0; i < ALL.size(); i++) {
                if (ALL.get(i).isEnabled()) {
                    return true;
                }
            }
            return false;
        }
    }

    /** What is to be written of one call. Its events come one after the other. */
    private static final class Call {

        private final AcquireEvent acquire = new AcquireEvent();
        private final HoldEvent hold = new HoldEvent();
    }

    /** What is away, by its purpose and node. */
    private final Map<List<Object>, ReconnectEvent> away = new ConcurrentHashMap<>();

    @Override
    public boolean isOn() {
        return FlightRecorder.isInitialized() && Types.anyEnabled();
    }

    @Override
    public @Nullable Object started(String lockName) {
        if (!isOn()) {
            return null;
        }
        Call call = new Call();
        call.acquire.begin();
        return call;
    }

    @Override
    public void acquired(LockEvent event) {
        if (event.context() instanceof Call call) {
            write(call.acquire, event, event.handedOver() ? "HANDED_OVER" : "ACQUIRED");
            call.hold.begin();
        }
    }

    @Override
    public void reentered(LockEvent event) {
        if (event.context() instanceof Call call) {
            write(call.acquire, event, "REENTERED");
        }
    }

    @Override
    public void refused(LockEvent event) {
        if (event.context() instanceof Call call) {
            write(call.acquire, event, reason(event));
        }
    }

    private static void write(AcquireEvent acquire, LockEvent event, String outcome) {
        acquire.end();
        if (acquire.shouldCommit()) {
            acquire.lock = event.name();
            acquire.owner = event.owner();
            acquire.waited = event.duration().toNanos();
            acquire.outcome = outcome;
            acquire.commit();
        }
    }

    @Override
    public void released(LockEvent event) {
        ended(event, "RELEASED");
    }

    @Override
    public void transferred(LockEvent event) {
        ended(event, "TRANSFERRED");
    }

    @Override
    public void lost(LockEvent event) {
        ended(event, "LOST");
        LostEvent lost = new LostEvent();
        if (lost.shouldCommit()) {
            lost.lock = event.name();
            lost.owner = event.owner();
            lost.fencingToken = event.fencingToken().orElse(0);
            lost.reason = event.lossReason().map(LossReason::name).orElse("");
            lost.detail = event.detail().orElse("");
            lost.commit();
        }
    }

    private static void ended(LockEvent event, String outcome) {
        if (event.context() instanceof Call call) {
            HoldEvent hold = call.hold;
            hold.end();
            if (hold.shouldCommit()) {
                hold.lock = event.name();
                hold.owner = event.owner();
                hold.fencingToken = event.fencingToken().orElse(0);
                hold.held = event.duration().toNanos();
                hold.outcome = outcome;
                hold.commit();
            }
        }
    }

    @Override
    public void renewalFailed(LockEvent event) {
        RenewalFailedEvent failed = new RenewalFailedEvent();
        if (failed.shouldCommit()) {
            failed.lock = event.name();
            failed.owner = event.owner();
            failed.fencingToken = event.fencingToken().orElse(0);
            failed.reason = reason(event);
            failed.detail = event.detail().orElse("");
            failed.commit();
        }
    }

    private static String reason(LockEvent event) {
        return event.failureReason().map(FailureReason::name).orElse("");
    }

    // --- connections ---

    @Override
    public void connection(ConnectionEvent event) {
        List<Object> key = List.of(event.purpose(), event.node());
        switch (event.change()) {
            case DOWN -> lost(key, event);
            case UP -> back(event, away.remove(key));
            case FAILED_OVER -> back(event, anyOf(event.purpose()));
            case UNREACHABLE -> {
                // It is away already, or was never there.
            }
        }
    }

    private void lost(List<Object> key, ConnectionEvent event) {
        if (isOn() && !event.failureReason().equals(Optional.of(FailureReason.CLIENT_CLOSED))) {
            ReconnectEvent reconnect = new ReconnectEvent();
            reconnect.begin();
            reconnect.reason = event.failureReason().map(FailureReason::name).orElse("");
            away.put(key, reconnect);
        }
    }

    /** A connection that leads to another server now had another node's name. */
    private @Nullable ReconnectEvent anyOf(ConnectionPurpose purpose) {
        for (List<Object> key : away.keySet()) {
            if (key.get(0) == purpose) {
                return away.remove(key);
            }
        }
        return null;
    }

    private static void back(ConnectionEvent event, @Nullable ReconnectEvent reconnect) {
        if (reconnect != null) {
            reconnect.end();
            if (reconnect.shouldCommit()) {
                reconnect.node = event.node();
                reconnect.purpose = event.purpose().name();
                reconnect.failedOver = event.change() == ConnectionEvent.Change.FAILED_OVER;
                reconnect.commit();
            }
        }
    }
}
