package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.hold.Waiters;
import java.util.List;
import java.util.stream.Stream;

/** Calls that want a lock in turn, by the server's queue, and others that take it as it comes. */
record BothLoops(Waiters ordered, Waiters unordered) implements Waiters {

    @Override
    public Waiters inOrder(boolean queued) {
        return queued ? ordered : unordered;
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
