package io.holdfast.lock.engine;

import io.holdfast.lock.LockInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Looks at a lock at its stores, and at what this client knows of it. */
final class Inspection {

    private final Engine engine;
    private final LockNames names;

    Inspection(Engine engine, LockNames names) {
        this.engine = engine;
        this.names = names;
    }

    /** Everything there is to know. */
    void everything(Pending<LockInfo> result) {
        ask(this::describe, result);
    }

    /** Milliseconds until the lease runs out; -2 if nobody holds the lock, -1 if it has no lease. */
    void timeToLive(Pending<Long> result) {
        ask(Sighting::timeToLiveMillis, result);
    }

    void isLocked(Pending<Boolean> result) {
        ask(Sighting::isLocked, result);
    }

    private <T> void ask(Function<Sighting, T> view, Pending<T> result) {
        if (engine.isQuorum()) {
            new Survey(engine, names.name(), store -> question(store, sighting -> sighting)).ask(view, result);
        } else {
            question(engine.stores().get(0), view).ask(result);
        }
    }

    private <T> Question<T> question(Store store, Function<Sighting, T> view) {
        LockNames there = names.at(store);
        return new Question<>(
                engine,
                store,
                names.name(),
                Scripts.INSPECT,
                there.slot,
                out -> there.writeKey(out).arg(there.channelBytes()),
                reply -> view.apply(Sighting.read(reply)));
    }

    private LockInfo describe(Sighting seen) {
        LockCell cell = engine.cellIfPresent(names);
        List<LockInfo.Holder> holders = seen.field().isEmpty() ? List.of() : List.of(holder(seen));
        return new Info(
                names.name(),
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

    private LockInfo.Holder holder(Sighting seen) {
        return new Info.Holder(
                seen.field(),
                seen.count(),
                seen.token(),
                seen.token().isPresent() ? Optional.of(since(seen.token().getAsLong())) : Optional.empty(),
                seen.field().startsWith(engine.clientId() + ':'));
    }

    /** Tokens are the server's time in microseconds, unless many were given out within one. */
    private static Instant since(long token) {
        return Instant.EPOCH.plus(token, ChronoUnit.MICROS);
    }
}
