package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.hold.Waiters;
import java.util.List;
import java.util.stream.Stream;

/** The loops of a lock that some calls of this client want in turn, by the server's queue, and others as it comes. */
final class BothLoops implements Waiters {

    private final AcquisitionLoop unordered;
    private final AcquisitionLoop ordered;

    BothLoops(AcquisitionLoop one, AcquisitionLoop other) {
        this.unordered = one.queues() ? other : one;
        this.ordered = one.queues() ? one : other;
    }

    AcquisitionLoop loop(boolean queues) {
        return queues ? ordered : unordered;
    }

    @Override
    public int waiters() {
        return unordered.waiters() + ordered.waiters();
    }

    @Override
    public List<Waiter> all() {
        return Stream.concat(ordered.all().stream(), unordered.all().stream()).toList();
    }

    @Override
    public void holdReleased() {
        ordered.holdReleased();
        unordered.holdReleased();
    }

    @Override
    public void holdEnded() {
        ordered.holdEnded();
        unordered.holdEnded();
    }

    @Override
    public void close() {
        ordered.close();
        unordered.close();
    }

    @Override
    public boolean isIdle() {
        return unordered.isIdle() && ordered.isIdle();
    }

    @Override
    public void end() {
        unordered.end();
        ordered.end();
    }
}
