package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockInfo;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.quorum.Quorum;
import io.holdfast.lock.engine.step.Exchanges;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks at a lock at its stores, and at what this client knows of it. */
public final class Inspection {

    private final ClientFacts facts;
    private final Exchanges exchanges;
    private final @Nullable Quorum quorum;
    private final Cells cells;
    private final LockKeys keys;

    /** @param quorum null for a single store */
    public Inspection(ClientFacts facts, Exchanges exchanges, @Nullable Quorum quorum, Cells cells, LockKeys keys) {
        this.facts = facts;
        this.exchanges = exchanges;
        this.quorum = quorum;
        this.cells = cells;
        this.keys = keys;
    }

    /** Everything there is to know. */
    public void everything(Pending<LockInfo> result) {
        ask(this::describe, result);
    }

    /** Milliseconds until the lease runs out; -2 if the lock is free, -1 if it has no lease. */
    public void timeToLive(Pending<Long> result) {
        ask(LockSnapshot::timeToLiveMillis, result);
    }

    public void isLocked(Pending<Boolean> result) {
        ask(LockSnapshot::isLocked, result);
    }

    private <T> void ask(Function<LockSnapshot, T> view, Pending<T> result) {
        if (quorum == null) {
            question(facts.stores().get(0), view).ask(result);
            return;
        }
        long lateNanos = quorum.longestNodeTimeoutNanos();
        new QuorumQuery(facts, lateNanos, keys.name(), store -> question(store, sighting -> sighting))
                .ask(view, result);
    }

    private <T> Query<T> question(Store store, Function<LockSnapshot, T> view) {
        LockKeys there = keys.at(store);
        return new Query<>(
                facts,
                exchanges,
                store,
                keys.name(),
                Scripts.INSPECT,
                there.slot,
                out -> there.writeKey(out).arg(there.channelBytes()),
                reply -> view.apply(LockSnapshot.read(reply)));
    }

    private LockInfo describe(LockSnapshot seen) {
        LockCell cell = cells.ifPresent(keys);
        List<LockInfo.Holder> holders = seen.field().isEmpty() ? List.of() : List.of(holder(seen));
        return new Info(
                keys.name(),
                seen.isLocked(),
                holders,
                List.of(),
                seen.timeToLiveMillis() >= 0
                        ? Optional.of(Duration.ofMillis(seen.timeToLiveMillis()))
                        : Optional.empty(),
                holders.stream().anyMatch(LockInfo.Holder::ofThisClient),
                cell == null ? 0 : cell.waiters(),
                Math.max(0, seen.listeners()));
    }

    private LockInfo.Holder holder(LockSnapshot seen) {
        return new Info.Holder(
                seen.field(),
                seen.count(),
                seen.token(),
                seen.token().isPresent() ? Optional.of(since(seen.token().getAsLong())) : Optional.empty(),
                seen.field().startsWith(facts.clientId() + ':'));
    }

    /** Tokens are the server's time in microseconds, unless many were given out within one. */
    private static Instant since(long token) {
        return Instant.EPOCH.plus(token, ChronoUnit.MICROS);
    }
}
