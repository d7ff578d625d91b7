package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockInfo;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Share;
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
import java.util.OptionalLong;
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

    /** Everything there is to know, within one command timeout: what is known of its holder by then is told. */
    public void everything(Pending<LockInfo> result) {
        long dueNanos = facts.nanos() + facts.commandNanos();
        ask(seen -> seen, new Pending<LockSnapshot>() {

            @Override
            public void onSettled() {
                Throwable failure = failure();
                if (failure != null) {
                    result.fail(failure);
                } else {
                    describe(value(), dueNanos, result);
                }
            }
        });
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
        int majority = HoldLeases.majority(facts.stores().size());
        new QuorumQuery<LockSnapshot>(
                        facts,
                        facts.stores(),
                        majority,
                        quorum.longestNodeTimeoutNanos(),
                        fault -> Failures.ofQuestion(keys.name(), "", fault),
                        store -> question(store, sighting -> sighting))
                .ask(seen -> view.apply(LockSnapshot.agreed(seen.values(), majority)), result);
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
                        out -> there.writeInspectedKeys(out).arg(there.channelBytes()),
                        reply -> view.apply(LockSnapshot.read(reply)))
                .keyByKey((deadlineNanos, step) -> new MovingLook<>(store, there, view, deadlineNanos, step).look());
    }

    private void describe(LockSnapshot seen, long dueNanos, Pending<LockInfo> result) {
        Holders holders = new Holders(facts, exchanges, keys.layout.prefix());
        long patience = quorum == null ? dueNanos : facts.nanos() + quorum.longestNodeTimeoutNanos();
        long untilNanos = patience - dueNanos < 0 ? patience : dueNanos;
        holders.find(List.of(seen), facts.stores(), untilNanos, new Pending<Boolean>() {

            @Override
            public void onSettled() {
                result.complete(info(facts, cells, keys, seen, holders));
            }
        });
    }

    /** What a lock is like that was seen so. */
    static LockInfo info(ClientFacts facts, Cells cells, LockKeys keys, LockSnapshot seen, Holders known) {
        LockCell cell = cells.ifPresent(keys);
        List<LockInfo.Holder> holders = seen.fields().stream()
                .map(field -> holder(facts, cell, seen, field, known))
                .toList();
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
                Math.max(0, seen.listeners()),
                seen.queue().stream()
                        .filter(member -> !member.isEmpty())
                        .map(member -> member.substring(1))
                        .toList());
    }

    /**
     * A reader's levels and token are known to its client only; and which of a client's calls has the lock, if the client has handed
     * it on.
     */
    private static LockInfo.Holder holder(
            ClientFacts facts, @Nullable LockCell cell, LockSnapshot seen, String field, Holders known) {
        boolean reads = !field.equals(seen.field());
        OptionalLong token = reads ? OptionalLong.empty() : seen.token();
        boolean ours = field.startsWith(facts.clientId() + ':');
        Info.Holder holder = new Info.Holder(
                field,
                reads,
                reads ? 1 : seen.count(),
                token,
                token.isPresent() ? Optional.of(since(token.getAsLong())) : Optional.empty(),
                ours,
                !ours && token.isPresent() && !facts.isQuorum(),
                known.of(field));
        return ours && cell != null && token.isPresent() ? asHandedOn(facts, cell.holds(), holder) : holder;
    }

    /**
     * What this client has handed on is held by another of its calls than the server knows. If none has it just now, it changes hands, or
     * has been given back since the server was asked.
     */
    private static Info.Holder asHandedOn(ClientFacts facts, Holds holds, Info.Holder granted) {
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            if (!granted.owner().equals(facts.fieldText(hold.field))) {
                continue;
            }
            if (!(hold.leases instanceof Share share) || granted.fencingToken().getAsLong() == share.token()) {
                return granted;
            }
            String number = granted.owner().substring(granted.owner().lastIndexOf(':'));
            return new Info.Holder(
                    hold.ownerText() + number,
                    false,
                    hold.count(),
                    OptionalLong.of(share.token()),
                    granted.since().map(since -> since.plusNanos(hold.acquiredNanos - share.grantedNanos())),
                    true,
                    false,
                    granted.client());
        }
        return facts.handsOn() ? granted.beingHandedOn() : granted;
    }

    /** Tokens are the server's time in microseconds, or a second ahead of it at most where many are put by to hand locks on with. */
    private static Instant since(long token) {
        return Instant.EPOCH.plus(token, ChronoUnit.MICROS);
    }
}
