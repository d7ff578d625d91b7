package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all locks of one client share: the cells, the lease keeper, the settler, and the numbers of the fields. */
final class Engine {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private final List<Store> stores;
    private final String node;
    private final Runtime runtime;
    private final boolean ownsStores;
    private final ClientOptions options;
    private final String clientId;
    private final long commandNanos;
    private final long maxOutageNanos;
    private final Patience patience;
    private final Callbacks callbacks;

    private final Cells cells = new Cells(this);
    private final Fields fields;
    private final AtomicLong handleNumbers = new AtomicLong();
    private final UntoldLosses untold = new UntoldLosses();
    /** The engines of RedLocks over this one's store; they end with it. */
    private final List<Engine> dependents = new CopyOnWriteArrayList<>();

    private final AtomicBoolean closed = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final @Nullable Quorum quorum;
    private final LockKind kind;
    private final HoldOperations operations = new HoldOperations(this);
    private final LeaseKeeper keeper;
    private final Exchanges exchanges = new Exchanges();
    private final Settler settler;
    private final Retries retries;
    private final Events events;
    private final LogLimit losses;
    private final SilenceLog silence;
    private final RoomLine roomLine;
    private final RedLocks redLocks = new RedLocks();
    private final FirstElsewhere firstElsewhere = new FirstElsewhere();

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
        this.stores = stores(backends);
        this.node = nodes(stores);
        this.runtime = backends.get(0).runtime();
        this.ownsStores = ownsStores;
        this.options = options;
        this.clientId = clientId;
        this.fields = new Fields(clientId);
        this.commandNanos = options.commandTimeout().toNanos();
        this.maxOutageNanos = options.maxOutage().toNanos();
        this.patience = new Patience(commandNanos, maxOutageNanos, quorumOptions == null);
        this.callbacks = new Callbacks(runtime, options.callbackExecutor());
        this.keeper = new LeaseKeeper(this);
        this.settler = new Settler(this);
        this.retries = new Retries(runtime);
        this.events = new Events(this);
        this.losses = new LogLimit(runtime);
        this.silence = new SilenceLog(node, runtime);
        this.roomLine = new RoomLine(stores, node);
        this.quorum = quorumOptions == null
                ? null
                : new Quorum(this, quorumOptions, options.lockOptions().prefix());
        this.kind = quorum == null ? new SingleKind(this) : new QuorumKind(this, quorum);
    }

    private static List<Store> stores(List<Backend> backends) {
        List<Store> stores = new ArrayList<>();
        for (Backend backend : backends) {
            stores.add(new Store(stores.size(), backend));
        }
        return List.copyOf(stores);
    }

    private static String nodes(List<Store> stores) {
        StringJoiner nodes = new StringJoiner(", ");
        for (Store store : stores) {
            nodes.add(store.node());
        }
        return Printable.message(nodes);
    }

    /** Listens to the stores; apart from the constructor, so that nobody sees an engine that is half made. */
    void start() {
        // Read now, mostly while a connection is being made: later, a first lock would wait for them.
        Scripts.ACQUIRE.sha1();
        for (Store store : stores) {
            store.backend().listen(new NodeListener() {
                @Override
                public void up(String node, ServerRun run) {
                    if (quorum != null) {
                        quorum.guard.up(store, run);
                    }
                    keeper.askAll(store);
                    retries.nodeIsBack();
                }

                @Override
                public void down(String node, Fault fault) {
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

    // --- parts ---

    List<Store> stores() {
        return stores;
    }

    Runtime runtime() {
        return runtime;
    }

    /** Where code of users runs. */
    Callbacks callbacks() {
        return callbacks;
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    Exchanges exchanges() {
        return exchanges;
    }

    Settler settler() {
        return settler;
    }

    Retries retries() {
        return retries;
    }

    Events events() {
        return events;
    }

    SilenceLog silence() {
        return silence;
    }

    RoomLine roomLine() {
        return roomLine;
    }

    LockKind kind() {
        return kind;
    }

    HoldOperations operations() {
        return operations;
    }

    boolean isQuorum() {
        return quorum != null;
    }

    /** What the nodes have in common; only for engines over several. */
    Quorum quorum() {
        return Objects.requireNonNull(quorum, "the locks of one store have no quorum");
    }

    String clientId() {
        return clientId;
    }

    String node() {
        return node;
    }

    /** How long a command may go without an answer. */
    long commandNanos() {
        return commandNanos;
    }

    /** How long calls without a limit put up with faults. */
    long maxOutageNanos() {
        return maxOutageNanos;
    }

    Patience patience() {
        return patience;
    }

    ClientOptions options() {
        return options;
    }

    RedLocks redLocks() {
        return redLocks;
    }

    FirstElsewhere firstElsewhere() {
        return firstElsewhere;
    }

    /** An engine that uses this one's store ends before the store is closed. */
    void addDependent(Engine dependent) {
        dependents.add(dependent);
        dependent.ended.whenComplete((nothing, failure) -> dependents.remove(dependent));
        if (isClosed()) {
            dependent.close();
        }
    }

    /** Whether an owner holds a lock of this engine's store by a RedLock over some set of stores but one. */
    boolean isHeldByAnotherSet(LockNames names, Owner owner, Engine but) {
        for (Engine dependent : dependents) {
            if (dependent != but && dependent.cells.anyHeld(stores.get(0).backend(), names, owner)) {
                return true;
            }
        }
        return false;
    }

    // --- identities ---

    Owner newHandle() {
        return Owner.handle(handleNumbers);
    }

    String ownerText(Owner owner) {
        return clientId + ':' + owner.text();
    }

    Fields fields() {
        return fields;
    }

    /** A field that was never used and never will be again (rule 1). */
    byte[] newField(Owner owner) {
        return fields.next(owner);
    }

    /** The hold's fencing token, if tokens mean something here. */
    long tokenOf(Hold hold) {
        checkTokens(hold.cell.names.name());
        return hold.token;
    }

    /** @throws IllegalStateException if tokens mean nothing here */
    void checkTokens(String lock) {
        if (quorum != null && !quorum.options.fencing()) {
            throw new IllegalStateException(
                    "lock '" + Printable.of(lock) + "': fencing tokens are switched off in its QuorumOptions");
        }
    }

    LockNotHeldException notHeld(LockNames names, Owner owner, @Nullable Hold holder) {
        return Failures.notHeld(names.name(), ownerText(owner), owner, node(), holder == null ? null : holder.owner);
    }

    /** The owner has the lock, but a MultiLock that is to give it back did not take it. */
    LockNotHeldException notTaken(Hold hold) {
        return Failures.notTaken(hold.cell.names.name(), hold.ownerText(), hold.owner, node());
    }

    // --- cells ---

    LockCell cell(LockNames names) {
        return cells.cell(names);
    }

    @Nullable
    LockCell cellIfPresent(LockNames names) {
        return cells.ifPresent(names);
    }

    Cells cells() {
        return cells;
    }

    // --- losses ---

    /** A hold was lost: its owner is told, then the listener, then the log; none of them keeps it from the next. */
    void lost(Hold hold, LockLoss loss) {
        keeper.unwatch(hold);
        if (!hold.isHandedOut()) {
            return;
        }
        try {
            hold.tellLoss();
        } finally {
            try {
                events.lost(hold, loss);
            } finally {
                Logging.attempt(() -> log(loss));
            }
        }
    }

    private void log(LockLoss loss) {
        if (isClosed()) {
            log.debug(
                    "lock '{}', owner {}: lost: {}: {}",
                    Printable.of(loss.name()),
                    Printable.of(loss.owner()),
                    loss.reason(),
                    Printable.message(loss.detail()));
        } else if (losses.permits()) {
            log.warn(
                    "lock '{}', owner {}, token {}, {}: LOST: {}: {}",
                    Printable.of(loss.name()),
                    Printable.of(loss.owner()),
                    loss.fencingToken(),
                    Printable.of(loss.node()),
                    loss.reason(),
                    Printable.message(loss.detail()));
        }
    }

    /** Keeps a lost hold for its owner's release, within bounds. */
    void remember(Hold hold) {
        Hold oldest = untold.add(hold);
        if (oldest != null) {
            oldest.cell.run(() -> oldest.cell.forget(oldest));
        }
    }

    /** The lost holds of threads that have not heard of it. */
    UntoldLosses untold() {
        return untold;
    }

    // --- the end ---

    boolean isClosed() {
        return closed.get();
    }

    /** Ends everything (rule 38). The stage completes when nothing is left; every caller gets the same one. */
    CompletableFuture<Void> close() {
        if (closed.compareAndSet(false, true)) {
            keeper.close();
            CompletableFuture<Void> released = CompletableFuture.allOf(
                    closeCells().thenCompose(everyCellClosed -> exchanges.idle()), closeDependents());
            long dueNanos = runtime.nanos() + commandNanos;
            Timer patience = runtime.after(commandNanos, () -> released.complete(null));
            released.whenComplete((done, failure) -> patience.cancel());
            released.thenCompose(done -> exchanges.endPauses())
                    .thenCompose(done -> closeStores(Math.max(0, dueNanos - runtime.nanos())))
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            log.warn("{}: closing failed", node(), failure);
                        }
                        ended.complete(null);
                    });
        }
        return ended;
    }

    private CompletableFuture<Void> closeDependents() {
        return CompletableFuture.allOf(dependents.stream().map(Engine::close).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> closeStores(long graceNanos) {
        if (!ownsStores) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.allOf(stores.stream()
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
