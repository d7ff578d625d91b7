package io.holdfast.lock.engine.tell;

import io.holdfast.lock.ConnectionEvent.Change;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.jfr.FlightRecording;
import io.holdfast.lock.spi.ConnectionListener;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection.Use;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells the listeners of a client's own options of its connections. */
final class ToldConnections implements ConnectionListener {

    private final List<ListenerLane> lanes;
    private final FlightRecording recording;

    ToldConnections(List<ListenerLane> lanes, FlightRecording recording) {
        this.lanes = lanes;
        this.recording = recording;
    }

    @Override
    public void up(Use use, String node, @Nullable String before) {
        tell(new ConnectionChange(
                before == null ? Change.UP : Change.FAILED_OVER,
                node,
                purpose(use),
                Optional.empty(),
                Optional.ofNullable(before).map(other -> "before it led to " + other)));
    }

    @Override
    public void down(Use use, String node, Fault fault) {
        tell(failed(Change.DOWN, use, node, fault));
    }

    @Override
    public void unreachable(Use use, String node, Fault fault) {
        tell(failed(Change.UNREACHABLE, use, node, fault));
    }

    private static ConnectionChange failed(Change change, Use use, String node, Fault fault) {
        return new ConnectionChange(
                change, node, purpose(use), Optional.of(Failures.reason(fault)), Optional.of(fault.detail()));
    }

    private static ConnectionPurpose purpose(Use use) {
        return switch (use) {
            case COMMANDS -> ConnectionPurpose.COMMANDS;
            case MESSAGES -> ConnectionPurpose.MESSAGES;
            case REPLICAS -> ConnectionPurpose.REPLICAS;
            case SENTINEL -> ConnectionPurpose.SENTINEL;
        };
    }

    private void tell(ConnectionChange change) {
        lanes.forEach(lane -> lane.tell(LockListener::connection, change));
        Logging.attempt(() -> recording.connection(change));
    }
}
