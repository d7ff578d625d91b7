package io.holdfast.lock.tests.harness;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A listener that remembers what it was told. */
public final class Recorder implements LockListener {

    private final List<LockEvent> acquired = Collections.synchronizedList(new ArrayList<>());
    private final List<LockEvent> renewed = Collections.synchronizedList(new ArrayList<>());
    private final List<LockEvent> renewalsFailed = Collections.synchronizedList(new ArrayList<>());
    private final List<LockEvent> lost = Collections.synchronizedList(new ArrayList<>());

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
        return copy(acquired);
    }

    public List<LockEvent> renewed() {
        return copy(renewed);
    }

    public List<LockEvent> renewalsFailed() {
        return copy(renewalsFailed);
    }

    public List<LockEvent> lost() {
        return copy(lost);
    }

    private static List<LockEvent> copy(List<LockEvent> events) {
        synchronized (events) {
            return List.copyOf(events);
        }
    }
}
