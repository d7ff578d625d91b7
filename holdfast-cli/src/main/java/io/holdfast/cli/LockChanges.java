package io.holdfast.cli;

import io.holdfast.lock.LockInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What has changed between two looks at a lock. */
final class LockChanges {

    /** A change; of one that concerns a holder, who that is. */
    record Change(String name, String event, Optional<String> who, OptionalLong token, long waiters) {}

    private final String name;
    /** By owner and token: an owner may release a lock and take it again between two looks. */
    private Map<String, LockInfo.Holder> holders = new LinkedHashMap<>();

    private Optional<Duration> left = Optional.empty();
    private long waiters;
    private long seenNanos;
    private boolean first = true;

    LockChanges(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Compares with the look before. The first look tells how the lock stands. */
    List<Change> look(LockInfo lock, long nowNanos) {
        Map<String, LockInfo.Holder> now = new LinkedHashMap<>();
        lock.holders().forEach(holder -> now.put(holder.owner() + " " + holder.fencingToken(), holder));
        List<Change> changes = new ArrayList<>();
        List<LockInfo.Holder> gone = missing(holders, now);
        List<LockInfo.Holder> come = missing(now, holders);
        long waiting = LockView.waiters(lock);
        boolean handedOn = gone.size() == 1 && come.size() == 1 && waiters > 0;
        if (!handedOn) {
            boolean expired =
                    left.isPresent() && nowNanos - seenNanos >= left.get().toNanos();
            gone.forEach(holder -> changes.add(change(expired ? "expired" : "released", holder, waiting)));
        }
        String event = first ? "held" : handedOn ? "handed on to" : "taken";
        come.forEach(holder -> changes.add(change(event, holder, waiting)));
        if (first && come.isEmpty()) {
            changes.add(new Change(name, "free", Optional.empty(), OptionalLong.empty(), waiting));
        }
        if (!first && come.isEmpty() && gone.isEmpty() && waiting != waiters) {
            String wait = waiting > waiters ? "waited for" : "waited for less";
            changes.add(new Change(name, wait, Optional.empty(), OptionalLong.empty(), waiting));
        }
        holders = now;
        left = lock.timeToLive();
        waiters = waiting;
        seenNanos = nowNanos;
        first = false;
        return changes;
    }

    private Change change(String event, LockInfo.Holder holder, long waiting) {
        return new Change(name, event, Optional.of(LockView.holder(holder)), holder.fencingToken(), waiting);
    }

    private static List<LockInfo.Holder> missing(Map<String, LockInfo.Holder> from, Map<String, LockInfo.Holder> in) {
        return from.entrySet().stream()
                .filter(entry -> !in.containsKey(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }
}
