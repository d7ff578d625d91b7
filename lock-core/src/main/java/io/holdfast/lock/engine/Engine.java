package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.WaitingCall;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.election.Elections;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.inspect.Inspection;
import io.holdfast.lock.engine.inspect.OwnCalls;
import io.holdfast.lock.engine.inspect.Search;
import io.holdfast.lock.engine.inspect.StoredValue;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.latch.Latchwork;
import io.holdfast.lock.engine.lock.FirstElsewhere;
import io.holdfast.lock.engine.lock.LockSite;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.operation.HoldTools;
import io.holdfast.lock.engine.permit.SemaphoreParts;
import io.holdfast.lock.engine.quorum.Majority;
import io.holdfast.lock.engine.quorum.Quorum;
import io.holdfast.lock.engine.quorum.RestartGuard;
import io.holdfast.lock.engine.step.EndedFields;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.step.FailoverGuard;
import io.holdfast.lock.engine.step.OneStore;
import io.holdfast.lock.engine.step.Place;
import io.holdfast.lock.engine.step.StoreSteps;
import io.holdfast.lock.engine.tell.Events;
import io.holdfast.lock.engine.upkeep.ClientRecords;
import io.holdfast.lock.engine.upkeep.ToldLosses;
import io.holdfast.lock.engine.upkeep.Undoer;
import io.holdfast.lock.engine.upkeep.Watchdog;
import io.holdfast.lock.engine.wait.Asking;
import io.holdfast.lock.engine.wait.Deadlines;
import io.holdfast.lock.engine.wait.Distance;
import io.holdfast.lock.engine.wait.RoomLine;
import io.holdfast.lock.engine.wait.SilenceLog;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Timer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of one client, and how they hang together: each is made here, from the facts and from the parts that it uses.
 * It begins with its stores, and it ends after everything that uses them.
 */
final class Engine implements LockSite {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private final ClientFacts facts;
    private final boolean ownsStores;
    private final Exchanges exchanges;
    private final Events events;
    private final Watchdog watchdog;
    private final Undoer undoer;
    private final Retries retries;
    private final @Nullable Quorum quorum;
    private final @Nullable FailoverGuard failoverGuard;
    private final ToldLosses losses;
    private final ClientRecords records;
    private final Cells cells;
    private final HoldOperations operations;
    private final Latchwork latchwork;
    private final SemaphoreParts semaphoreParts;
    private final Elections elections;
    private final FirstElsewhere firstElsewhere = new FirstElsewhere();

    /** The engines of RedLocks over this one's store; they end with it. */
    private final List<Engine> dependents = new CopyOnWriteArrayList<>();
    /** Those of them that belong to this one, by their stores. */
    private final Map<List<Backend>, Engine> owned = new HashMap<>();

    private int ownedNumber;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * @param backends where the locks are kept: one store, or the independent nodes of a quorum
     * @param ownsStores whether the stores are closed with this engine
     * @param quorumOptions how the nodes of a quorum are treated; null for a single store
     */
    Engine(
            List<Backend> backends,
            boolean ownsStores,
            ClientOptions options,
            @Nullable QuorumOptions quorumOptions,
            String clientId) {
        this.ownsStores = ownsStores;
        this.facts = new ClientFacts(stores(backends), options, quorumOptions, clientId);
        this.exchanges = new Exchanges(facts.runtime(), facts.mayFailOver());
        this.retries = new Retries(facts.runtime());
        this.events = new Events(facts);
        this.failoverGuard = quorumOptions == null ? failoverGuard() : null;
        this.watchdog = new Watchdog(facts, events, failoverGuard);
        List<StoreSteps> steps = facts.stores().stream()
                .map(store ->
                        new StoreSteps(store, facts.fields(), failoverGuard, new EndedFields(quorumOptions == null)))
                .toList();
        this.undoer = new Undoer(steps, exchanges, facts);
        this.quorum = quorumOptions == null ? null : new Quorum(facts, quorumOptions, steps, watchdog, undoer, retries);
        Place place = quorum == null ? new OneStore(steps.get(0)) : new Majority(quorum);
        this.losses = new ToldLosses(facts, watchdog, undoer, events);
        this.cells = new Cells(facts, losses);
        this.records = new ClientRecords(facts);
        HoldTools tools = new HoldTools(facts, place, exchanges, watchdog, undoer, events, losses, records);
        Asking asking = asking(place);
        this.operations = new HoldOperations(tools, asking, cells);
        this.semaphoreParts = new SemaphoreParts(facts, cells, operations, exchanges, asking.deadlines());
        this.latchwork = new Latchwork(
                facts,
                exchanges,
                retries,
                asking.deadlines(),
                quorum == null ? facts.commandNanos() : quorum.longestNodeTimeoutNanos());
        this.elections = new Elections(facts, exchanges, asking.deadlines(), latchwork.watches(), watchdog::ask);
    }

    private static List<Store> stores(List<Backend> backends) {
        List<Store> stores = new ArrayList<>();
        for (Backend backend : backends) {
            stores.add(new Store(stores.size(), backend));
        }
        return List.copyOf(stores);
    }

    private Asking asking(Place place) {
        return new Asking(
                facts,
                place,
                exchanges,
                new Deadlines(facts.commandNanos(), facts.options().maxOutage().toNanos(), !facts.isQuorum()),
                new RoomLine(facts.stores(), facts.node()),
                retries,
                new SilenceLog(facts.node(), facts.runtime()),
                new Distance(),
                facts.isQuorum() ? null : replication());
    }

    /** How replicas are asked, if they are: with one key of the client to write (rule 85). */
    private @Nullable Replication replication() {
        return facts.options()
                .waitForReplicas()
                .map(wait -> facts.stores()
                        .get(0)
                        .backend()
                        .replication(
                                facts.options().lockOptions().prefix() + ":wait:" + facts.clientId(),
                                wait.replicas(),
                                wait.timeout().toNanos(),
                                wait.onDisk()))
                .orElse(null);
    }

    /** What grants and renewals have to pass, if the options want it (rule 88). */
    private @Nullable FailoverGuard failoverGuard() {
        return facts.options()
                .failoverGuard()
                .map(longestLease -> new FailoverGuard(facts, longestLease))
                .orElse(null);
    }

    /** Listens to the stores; apart from the constructor, so that no thread sees an engine that is half made. */
    void start() {
        // Read now, mostly while a connection is being made: later, a first lock would wait for them.
        Scripts.ACQUIRE.sha1();
        if (failoverGuard != null) {
            failoverGuard.start(() -> {
                retries.nodeIsBack();
                Store store = facts.stores().get(0);
                watchdog.askAll(store);
                repeatReleases(store, store.backend().parts().stream());
            });
        }
        for (Store store : facts.stores()) {
            if (ownsStores) {
                events.listen(store);
            }
            store.backend().listen(new NodeListener() {
                @Override
                public void up(String node, ServerRun run) {
                    store.isUp(true);
                    if (quorum != null) {
                        quorum.guard.up(store, run);
                    }
                    if (failoverGuard == null || !failoverGuard.look()) {
                        watchdog.askAll(store, run);
                        retries.nodeIsBack();
                        repeatReleases(
                                store,
                                store.backend().parts().stream()
                                        .filter(part ->
                                                run.equals(store.backend().run(part))));
                    }
                }

                @Override
                public void led(BitSet slots) {
                    watchdog.askAll(store, slots);
                    repeatReleases(store, slots.stream().boxed());
                }

                @Override
                public void down(String node, Fault fault) {
                    store.isUp(false);
                    if (quorum != null) {
                        quorum.guard.down(store);
                    }
                }

                @Override
                public void unreachable(String node, Fault fault) {
                    if (quorum != null) {
                        quorum.guard.unreachable(store);
                    }
                }
            });
        }
    }

    /** Repeats releases at the keepers of some slots, behind the renewals at each of them. */
    private void repeatReleases(Store store, Stream<Integer> slots) {
        slots.map(store.backend()::keeper)
                .distinct()
                .forEach(keeper -> watchdog.afterRenewals(keeper, () -> undoer.repeat(store, keeper)));
    }

    // --- parts ---

    @Override
    public ClientFacts facts() {
        return facts;
    }

    @Override
    public Cells cells() {
        return cells;
    }

    @Override
    public HoldOperations operations() {
        return operations;
    }

    @Override
    public FirstElsewhere firstElsewhere() {
        return firstElsewhere;
    }

    /** The exchanges that have not ended. */
    Exchanges exchanges() {
        return exchanges;
    }

    /** Which nodes count; only for an engine over several. */
    RestartGuard guard() {
        return Objects.requireNonNull(quorum, "the locks of one store have no quorum").guard;
    }

    /** How many owners have not heard of a loss. */
    int untold() {
        return losses.untold();
    }

    @Override
    public Inspection inspection(LockKeys keys) {
        return new Inspection(facts, exchanges, quorum, cells, keys);
    }

    Stream<LockInfo> locks(LockQuery query) {
        return Search.of(facts, exchanges, quorum, cells, query);
    }

    /** What this client holds, also by RedLocks that belong to it. */
    List<HeldLock> holds() {
        List<HeldLock> all = new ArrayList<>();
        for (Engine engine : withOwned()) {
            OwnCalls.addHolds(engine.facts, engine.cells, all);
        }
        return Collections.unmodifiableList(all);
    }

    /** The calls of this client that wait, also for RedLocks that belong to it. */
    List<WaitingCall> waiters() {
        List<WaitingCall> all = new ArrayList<>();
        for (Engine engine : withOwned()) {
            OwnCalls.addWaiters(engine.facts, engine.cells, all);
        }
        return Collections.unmodifiableList(all);
    }

    /** A RedLock is at several clients, and belongs to one of them, so that none counts twice. */
    private synchronized List<Engine> withOwned() {
        List<Engine> all = new ArrayList<>(List.of(this));
        all.addAll(owned.values());
        return all;
    }

    /** What latches and signals share. */
    Latchwork latchwork() {
        return latchwork;
    }

    /** What semaphores share. */
    SemaphoreParts semaphoreParts() {
        return semaphoreParts;
    }

    /** What elections share. */
    Elections elections() {
        return elections;
    }

    StoredValue fencedValue(String name) {
        return new StoredValue(
                facts, exchanges, name, facts.options().lockOptions().prefix());
    }

    // --- RedLocks ---

    @Override
    public synchronized LockSite over(List<LockSite> members, QuorumOptions options) {
        List<Backend> backends = members.stream()
                .map(member -> member.facts().stores().get(0).backend())
                .toList();
        Engine known = owned.get(backends);
        if (known != null && !known.isClosed()) {
            checkSame(options, known);
            return known;
        }
        String id = facts.clientId() + "-q" + ++ownedNumber;
        Engine engine = new Engine(backends, false, facts.options(), options, id);
        owned.values().removeIf(Engine::isClosed);
        owned.put(backends, engine);
        engine.start();
        members.forEach(member -> ((Engine) member).addDependent(engine));
        return engine;
    }

    private static void checkSame(QuorumOptions options, Engine known) {
        if (known.quorum != null && !known.quorum.options.equals(options)) {
            throw new IllegalArgumentException("RedLock: the clients of " + known.facts.node() + " have a RedLock with "
                    + known.quorum.options + ", so another can't have " + options + " (expected: the same options)");
        }
    }

    /** An engine that uses this one's store ends before the store is closed. */
    private void addDependent(Engine dependent) {
        dependents.add(dependent);
        dependent.ended.whenComplete((nothing, failure) -> dependents.remove(dependent));
        if (isClosed()) {
            dependent.close();
        }
    }

    @Override
    public boolean isHeldByAnotherSet(LockKeys keys, Owner owner, LockSite but) {
        for (Engine dependent : dependents) {
            if (dependent != but
                    && dependent.cells.anyHeld(facts.stores().get(0).backend(), keys, owner)) {
                return true;
            }
        }
        return false;
    }

    // --- the end ---

    boolean isClosed() {
        return facts.isClosed();
    }

    /** Ends everything (rule 38). The stage completes when nothing is left; every caller gets the same one. */
    CompletableFuture<Void> close() {
        if (facts.close()) {
            events.close();
            watchdog.close();
            latchwork.watches().close();
            CompletableFuture<Boolean> recordsGone = records.close();
            CompletableFuture<Void> released = CompletableFuture.allOf(
                    closeCells().thenCompose(everyCellClosed -> exchanges.idle()), closeDependents(), recordsGone);
            long dueNanos = facts.nanos() + facts.commandNanos();
            Timer patience = facts.runtime().after(facts.commandNanos(), () -> released.complete(null));
            released.whenComplete((done, failure) -> patience.cancel());
            released.thenCompose(done -> exchanges.endPauses())
                    .thenCompose(done -> closeStores(graceNanos(recordsGone.getNow(false), dueNanos)))
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            log.warn("{}: closing failed", facts.node(), failure);
                        }
                        ended.complete(null);
                    });
        }
        return ended;
    }

    /** How long the stores have for what is in flight: none if that is a record, which expires. */
    private long graceNanos(boolean recordsGone, long dueNanos) {
        boolean onlyRecords = !recordsGone && exchanges.areIdle();
        return onlyRecords ? 0 : Math.max(0, dueNanos - facts.nanos());
    }

    private CompletableFuture<Void> closeDependents() {
        return CompletableFuture.allOf(dependents.stream().map(Engine::close).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> closeStores(long graceNanos) {
        if (!ownsStores) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.allOf(facts.stores().stream()
                .map(store -> store.backend().close(graceNanos).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /** Completes when every cell has failed its waiters and begun to release its holds. */
    private CompletableFuture<Void> closeCells() {
        CompletableFuture<Void> all = new CompletableFuture<>();
        AtomicInteger open = new AtomicInteger(1);
        Runnable oneLess = () -> {
            if (open.decrementAndGet() == 0) {
                all.complete(null);
            }
        };
        for (LockCell cell : cells.all()) {
            open.incrementAndGet();
            // The losses that closing brings are steps of their own; the second step comes behind them.
            cell.run(() -> {
                cell.close();
                cell.run(oneLess);
            });
        }
        oneLess.run();
        return all;
    }
}
