package io.holdfast.lock.tests.harness;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that remembers what it was told. */
public final class Recorder implements LockListener {

    private final List<LockEvent> acquired = new CopyOnWriteArrayList<>();
    private final List<LockEvent> renewed = new CopyOnWriteArrayList<>();
    private final List<LockEvent> renewalsFailed = new CopyOnWriteArrayList<>();
    private final List<LockEvent> lost = new CopyOnWriteArrayList<>();

    @Override
    public void acquired(LockEvent event) {
        acquired.add(event);
    }

    @Override
    public void renewed(LockEvent event) {
        renewed.add(event);
    }

    @Override
    public void renewalFailed(LockEvent event) {
        renewalsFailed.add(event);
    }

    @Override
    public void lost(LockEvent event) {
        lost.add(event);
    }

    public List<LockEvent> acquired() {
        return acquired;
    }

    public List<LockEvent> renewed() {
        return renewed;
    }

    public List<LockEvent> renewalsFailed() {
        return renewalsFailed;
    }

    public List<LockEvent> lost() {
        return lost;
    }
}
