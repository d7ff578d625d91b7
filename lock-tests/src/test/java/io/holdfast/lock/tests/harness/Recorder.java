package io.holdfast.lock.tests.harness;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LossReason;
import java.util.ArrayList;
import java.util.List;

/** A listener that remembers what it was told, in order. */
public class Recorder implements LockListener {

    private record Heard(String what, LockEvent event) {}

    private final List<Heard> heard = new ArrayList<>();

    @Override
    public void acquired(LockEvent event) {
        hear("acquired", event);
    }

    @Override
    public void refused(LockEvent event) {
        hear("refused", event);
    }

    @Override
    public void transferred(LockEvent event) {
        hear("transferred", event);
    }

    @Override
    public void released(LockEvent event) {
        hear("released", event);
    }

    @Override
    public void renewed(LockEvent event) {
        hear("renewed", event);
    }

    @Override
    public void renewalFailed(LockEvent event) {
        hear("renewal failed", event);
    }

    @Override
    public void lost(LockEvent event) {
        hear("lost", event);
    }

    private synchronized void hear(String what, LockEvent event) {
        heard.add(new Heard(what, event));
    }

    public List<LockEvent> acquired() {
        return all("acquired");
    }

    public List<LockEvent> renewed() {
        return all("renewed");
    }

    public List<LockEvent> renewalsFailed() {
        return all("renewal failed");
    }

    public List<LockEvent> lost() {
        return all("lost");
    }

    private synchronized List<LockEvent> all(String what) {
        return heard.stream()
                .filter(one -> one.what.equals(what))
                .map(Heard::event)
                .toList();
    }

    /** Everything, in words; a loss with its reason. */
    public synchronized List<String> heard() {
        return heard.stream()
                .map(one -> one.what
                        + one.event
                                .lossReason()
                                .map(LossReason::name)
                                .map(reason -> " " + reason)
                                .orElse(""))
                .toList();
    }
}
