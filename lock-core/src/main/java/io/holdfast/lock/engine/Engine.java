package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all locks of one client share: the cells, the lease keeper, the settler, and the numbers of the fields. */
final class Engine {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);
    /** Lost holds of threads that never release: so many are remembered, to tell them, and no more. */
    private static final int REMEMBERED_LOSSES = 10_000;

    private final Backend backend;
    private final Runtime runtime;
    private final String clientId;
    private final long commandNanos;
    private final long maxOutageNanos;

    private final ConcurrentMap<String, LockCell> cells = new ConcurrentHashMap<>();
    private final AtomicLong fieldNumbers = new AtomicLong();
    private final AtomicLong handleNumbers = new AtomicLong();
    private final ConcurrentLinkedQueue<Hold> remembered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger rememberedCount = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final LeaseKeeper keeper;
    private final Settler settler;
    private final Events events;
    private final LogLimit losses;

    Engine(Backend backend, ClientOptions options, String clientId) {
        this.backend = backend;
        this.runtime = backend.runtime();
        this.clientId = clientId;
        this.commandNanos = options.commandTimeout().toNanos();
        this.maxOutageNanos = options.maxOutage().toNanos();
        this.keeper = new LeaseKeeper(this, backend);
        this.settler = new Settler(this);
        this.events = new Events(this);
        this.losses = new LogLimit(runtime);
    }

    /** Listens to the backend; apart from the constructor, so that nobody sees an engine that is half made. */
    void start() {
        backend.listen(new NodeListener() {
            @Override
            public void up(String node, String runId) {
                keeper.askAll();
            }

            @Override
            public void down(String node, Fault fault) {}
        });
    }

    // --- parts ---

    Backend backend() {
        return backend;
    }

    Runtime runtime() {
        return runtime;
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    Settler settler() {
        return settler;
    }

    Events events() {
        return events;
    }

    LockKind kind(LockNames names) {
        return new ReentrantKind(backend, names);
    }

    String clientId() {
        return clientId;
    }

    String node() {
        return backend.describe();
    }

    /** How long a command may go without an answer. */
    long commandNanos() {
        return commandNanos;
    }

    /** How long calls without a limit put up with faults. */
    long maxOutageNanos() {
        return maxOutageNanos;
    }

    // --- identities ---

    Owner newHandle() {
        return Owner.handle(handleNumbers);
    }

    String ownerText(Owner owner) {
        return clientId + ':' + owner.text();
    }

    /** A field that was never used and never will be again (rule 1). */
    byte[] newField(String ownerText) {
        return (ownerText + ':' + fieldNumbers.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
    }

    LockNotHeldException notHeld(LockNames names, Owner owner, @Nullable Hold holder) {
        return Failures.notHeld(names.name, ownerText(owner), owner, node(), holder == null ? null : holder.owner);
    }

    // --- cells ---

    LockCell cell(LockNames names) {
        LockCell cell = cells.get(names.key);
        if (cell == null) {
            cell = cells.computeIfAbsent(names.key, key -> new LockCell(this, names));
        }
        return cell;
    }

    @Nullable
    LockCell cellIfPresent(LockNames names) {
        return cells.get(names.key);
    }

    void retire(LockCell cell) {
        cells.remove(cell.names.key, cell);
    }

    Subscription subscribe(LockNames names, Wakeup wakeup) {
        return backend.subscribe(names.slot, names.channelBytes, wakeup);
    }

    // --- losses ---

    /** A hold was lost: whoever can be told is told. */
    void lost(Hold hold, LockLoss loss) {
        keeper.unwatch(hold);
        if (!hold.isHandedOut()) {
            return;
        }
        if (isClosed()) {
            log.debug("lock '{}', owner {}: lost: {}: {}", loss.lockName(), loss.owner(), loss.reason(), loss.detail());
        } else if (losses.permits()) {
            log.warn(
                    "lock '{}', owner {}, token {}, {}: LOST: {}: {}",
                    loss.lockName(),
                    loss.owner(),
                    loss.fencingToken(),
                    loss.node(),
                    loss.reason(),
                    loss.detail());
        }
        events.lost(hold, loss);
        hold.tellLoss();
    }

    /** Keeps a lost hold for its owner's release, within bounds. */
    void remember(Hold hold) {
        remembered.add(hold);
        if (rememberedCount.incrementAndGet() > REMEMBERED_LOSSES) {
            Hold oldest = remembered.poll();
            if (oldest != null) {
                rememberedCount.decrementAndGet();
                oldest.cell.step(() -> oldest.cell.forget(oldest));
            }
        }
    }

    /** Runs code of users, never on a thread that serves connections unless the user chose so. */
    void callback(Runnable callback) {
        try {
            runtime.callbacks().execute(callback);
        } catch (RejectedExecutionException closedExecutor) {
            callback.run();
        }
    }

    // --- the end ---

    boolean isClosed() {
        return closed.get();
    }

    /** Ends everything (rule 38). The stage completes when nothing is left; every caller gets the same one. */
    CompletableFuture<Void> close() {
        if (closed.compareAndSet(false, true)) {
            keeper.close();
            CompletableFuture<Void> released = closeCells().thenCompose(everyCellClosed -> settler.idle());
            Timer patience = runtime.after(commandNanos, () -> released.complete(null));
            released.whenComplete((done, failure) -> patience.cancel());
            released.thenCompose(done -> backend.close(commandNanos)).whenComplete((done, failure) -> {
                if (failure != null) {
                    log.warn("{}: closing failed", node(), failure);
                }
                ended.complete(null);
            });
        }
        return ended;
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
        for (LockCell cell : cells.values()) {
            open.incrementAndGet();
            // The losses that closing brings are steps of their own; the second step comes behind them.
            cell.step(() -> {
                cell.close();
                cell.step(oneLess);
            });
        }
        oneLess.run();
        return all;
    }
}
