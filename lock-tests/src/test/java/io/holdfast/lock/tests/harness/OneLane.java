package io.holdfast.lock.tests.harness;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import org.jspecify.annotations.Nullable;

/** A listener of a user's own around another one, which may be several: a client tells it as one. */
public record OneLane(LockListener around) implements LockListener {

    @Override
    public @Nullable Object started(String lockName) {
        return around.started(lockName);
    }

    @Override
    public void waiting(LockEvent event) {
        around.waiting(event);
    }

    @Override
    public void acquired(LockEvent event) {
        around.acquired(event);
    }

    @Override
    public void reentered(LockEvent event) {
        around.reentered(event);
    }

    @Override
    public void refused(LockEvent event) {
        around.refused(event);
    }

    @Override
    public void transferred(LockEvent event) {
        around.transferred(event);
    }

    @Override
    public void released(LockEvent event) {
        around.released(event);
    }

    @Override
    public void renewed(LockEvent event) {
        around.renewed(event);
    }

    @Override
    public void renewalFailed(LockEvent event) {
        around.renewalFailed(event);
    }

    @Override
    public void lost(LockEvent event) {
        around.lost(event);
    }

    @Override
    public void connection(ConnectionEvent event) {
        around.connection(event);
    }

    @Override
    public void missed(long events) {
        around.missed(events);
    }
}
