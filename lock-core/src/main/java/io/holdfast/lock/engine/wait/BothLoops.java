package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.hold.Waiters;
import io.holdfast.lock.engine.kind.LockKind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two ways in which calls want a lock: in turn, by the server's queue, or as it comes; or either, and a condition that others
 * await.
 */
record BothLoops(Waiters first, Waiters second) implements Waiters {

    @Override
    public @Nullable Waiters inOrderOf(LockKind kind) {
        Waiters found = first.inOrderOf(kind);
        return found == null ? second.inOrderOf(kind) : found;
    }

    @Override
    public int waiters() {
        return first.waiters() + second.waiters();
    }

    @Override
    public List<Waiter> all() {
        return Stream.concat(first.all().stream(), second.all().stream()).toList();
    }

    @Override
    public void holdReleased() {
        first.holdReleased();
        second.holdReleased();
    }

    @Override
    public void holdEnded() {
        first.holdEnded();
        second.holdEnded();
    }

    @Override
    public void stepEnded() {
        first.stepEnded();
        second.stepEnded();
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }

    @Override
    public boolean isIdle() {
        return second.isIdle() && first.isIdle();
    }

    @Override
    public void end() {
        second.end();
        first.end();
    }
}
