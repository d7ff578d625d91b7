package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.Finding;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.RSignal;
import io.holdfast.lock.WaitingCall;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.call.Unoffered;
import io.holdfast.lock.engine.election.EngineElection;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.inspect.Connections;
import io.holdfast.lock.engine.key.ElectionKeys;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.kind.Turning;
import io.holdfast.lock.engine.latch.EngineLatch;
import io.holdfast.lock.engine.latch.EngineSignal;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.lock.FencedLock;
import io.holdfast.lock.engine.lock.ReadWriteView;
import io.holdfast.lock.engine.multi.MultiLocks;
import io.holdfast.lock.engine.multi.RedLocks;
import io.holdfast.lock.engine.permit.EnginePermits;
import io.holdfast.lock.engine.permit.EngineSemaphore;
import io.holdfast.lock.engine.preflight.Preflight;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The client as its user sees it. */
public final class EngineClient implements LockClient {

    /** How long a leader's lease is, where the client's locks have a longer one: so long a dead leader is missed. */
    private static final Duration LONGEST_DEFAULT_TERM_LEASE = Duration.ofSeconds(10);

    private final Engine engine;
    private final ClientFacts facts;
    private final LockOptions lockOptions;
    private final KeyLayout layout;
    private final Terms plainTerms;
    private final Unoffered unoffered;

    private EngineClient(Engine engine, LockOptions lockOptions) {
        this.engine = engine;
        this.facts = engine.facts();
        this.lockOptions = lockOptions;
        this.layout = KeyLayout.of(lockOptions);
        this.unoffered = new Unoffered(facts);
        this.plainTerms = new Terms(plain(lockOptions), lockOptions);
    }

    /** Every script that a client may run. */
    public static List<Script> scripts() {
        return Scripts.all();
    }

    /** Whether a key may be that of a lock of this name, under any scheme and prefix. */
    public static boolean isKeyOf(String key, String lockName) {
        return KeyLayout.mayName(key, lockName);
    }

    /**
     * Makes a client of a backend.
     *
     * @param clientId unique among all clients that ever share a lock
     */
    public static LockClient over(Backend backend, ClientOptions options, String clientId) {
        Engine engine = new Engine(List.of(backend), true, options, null, clientId);
        engine.start();
        return new EngineClient(engine, options.lockOptions());
    }

    /**
     * Makes a client whose locks are kept by a majority of several independent stores.
     *
     * @param clientId unique among all clients that ever share a lock
     * @throws IllegalArgumentException if two of the stores are one and the same server
     */
    public static LockClient overQuorum(
            List<? extends Backend> backends, ClientOptions options, QuorumOptions quorum, String clientId) {
        if (options.waitForReplicas().isPresent()) {
            throw new IllegalArgumentException(
                    "waitForReplicas: given for a quorum (expected: none; a majority decides)");
        }
        if (options.failoverGuard().isPresent()) {
            throw new IllegalArgumentException(
                    "failoverGuard: given for a quorum (expected: none; no node of a quorum fails over)");
        }
        RedLocks.checkIndependent(backends);
        Engine engine = new Engine(List.copyOf(backends), true, options, quorum, clientId);
        engine.start();
        return new EngineClient(engine, options.lockOptions());
    }

    /** Names of locks, one at each part of the store as it stands; none where it has one part, or is a quorum. */
    public List<String> probes() {
        List<Integer> parts =
                facts.isQuorum() ? List.of() : facts.stores().get(0).backend().parts();
        return parts.size() < 2 ? List.of() : parts.stream().map(Slots::tag).toList();
    }

    /** Makes one lock of the locks of several clients, of which a majority decides. */
    public static RLock redLock(List<RLock> locks, QuorumOptions quorum) {
        return RedLocks.of(locks, quorum);
    }

    /** Makes one lock that is held when all of its members are. */
    public static RLock multiLock(List<RLock> locks) {
        return MultiLocks.of(locks);
    }

    @Override
    public String id() {
        return facts.clientId();
    }

    @Override
    public RLock getLock(String name) {
        return getLock(name, lockOptions);
    }

    @Override
    public RLock getLock(String name, LockOptions options) {
        return getLock(name, options, plain(options));
    }

    /** The lock of this name, as one of the kinds that share its state on the server. */
    public RLock getLock(String name, LockOptions options, LockKind kind) {
        Objects.requireNonNull(options, "options");
        return new EngineLock(engine, terms(asKept(name, kind), options), name, keys(name, options));
    }

    @Override
    public RFencedLock getFencedLock(String name) {
        return getFencedLock(name, lockOptions);
    }

    @Override
    public RFencedLock getFencedLock(String name, LockOptions options) {
        Objects.requireNonNull(options, "options");
        facts.checkTokens(name);
        return new FencedLock(engine, terms(plain(options), options), name);
    }

    @Override
    public RLock getFairLock(String name) {
        return getFairLock(name, lockOptions);
    }

    @Override
    public RLock getFairLock(String name, LockOptions options) {
        Objects.requireNonNull(options, "options");
        Named lock = new Named("lock", name);
        unoffered.overNodes(
                lock,
                "a fair lock needs one order, and each of these would keep another",
                "getLock or getReadWriteLock, which keep none, or a client of one store");
        unoffered.onRedissonsKeys(
                lock, options.keyScheme(), "Redisson keeps the order of a fair lock by the clocks of its clients");
        return getLock(name, options, Queued.FAIR);
    }

    @Override
    public RReadWriteLock getReadWriteLock(String name) {
        return getReadWriteLock(name, lockOptions);
    }

    @Override
    public RReadWriteLock getReadWriteLock(String name, LockOptions options) {
        Objects.requireNonNull(options, "options");
        unoffered.onRedissonsKeys(
                new Named("lock", name),
                options.keyScheme(),
                "Redisson keeps a reader that has died until the whole lock expires, and its readers pass writers");
        return new ReadWriteView(getLock(name, options, Reading.KIND), getLock(name, options, Queued.WRITE));
    }

    /** The kind as which the stores of this client keep a lock. */
    private LockKind asKept(String name, LockKind kind) {
        LockKind kept = facts.isQuorum() ? kind.overNodes() : kind;
        if (kept == null) {
            throw new UnsupportedOperationException(
                    new Named("lock", name) + ": no quorum keeps a lock of the kind " + Printable.of(kind));
        }
        return kept;
    }

    @Override
    public RSemaphore getSemaphore(String name) {
        return getSemaphore(name, lockOptions);
    }

    @Override
    public RSemaphore getSemaphore(String name, LockOptions options) {
        return new EngineSemaphore(engine.semaphoreParts(), permitKeys(name, options), options);
    }

    @Override
    public RPermitExpirableSemaphore getPermitExpirableSemaphore(String name) {
        return getPermitExpirableSemaphore(name, lockOptions);
    }

    @Override
    public RPermitExpirableSemaphore getPermitExpirableSemaphore(String name, LockOptions options) {
        return new EnginePermits(engine.semaphoreParts(), permitKeys(name, options), options);
    }

    private PermitKeys permitKeys(String name, LockOptions options) {
        Objects.requireNonNull(options, "options");
        PermitKeys keys = new PermitKeys(keys(name, options));
        unoffered.overNodes(
                keys.named(),
                "a majority would grant more permits than the limit: of three nodes and two permits three",
                "a client of one store");
        unoffered.onRedissonsKeys(
                keys.named(),
                options.keyScheme(),
                "Redisson's permits have no owners, so that a late release can't be told from a second one");
        return keys;
    }

    private Terms terms(LockKind kind, LockOptions options) {
        return kind == plainTerms.kind() && options.equals(lockOptions) ? plainTerms : new Terms(kind, options);
    }

    private LockKind plain(LockOptions options) {
        Objects.requireNonNull(options, "options");
        return facts.takesTurns() && options.keyScheme() == KeyScheme.HOLDFAST ? Turning.KIND : Reentrant.KIND;
    }

    private LockKeys keys(String name, LockOptions options) {
        return (options.equals(lockOptions) ? layout : KeyLayout.of(options)).keys(name);
    }

    @Override
    public FencedValue getFencedValue(String name) {
        if (facts.isQuorum()) {
            throw new UnsupportedOperationException(
                    "a fenced value lives in one store; use a client of that store (these are " + facts.node() + ")");
        }
        return engine.fencedValue(name);
    }

    @Override
    public RCountDownLatch getCountDownLatch(String name) {
        SharedKeys keys = SharedKeys.latch(name, lockOptions.prefix());
        Named latch = keys.named();
        unoffered.overNodes(
                latch,
                "each of these would count for itself, and open the latch at a time of its own",
                "a client of one store");
        unoffered.onRedissonsKeys(
                latch,
                lockOptions.keyScheme(),
                "Redisson keeps no generations, by which a repeated count is told from a new one");
        return new EngineLatch(engine.latchwork(), keys);
    }

    @Override
    public RSignal getSignal(String name) {
        SharedKeys keys = SharedKeys.signal(name, lockOptions.prefix());
        Named signal = keys.named();
        unoffered.overNodes(signal, "each of these would have numbers of its own", "a client of one store");
        unoffered.onRedissonsKeys(
                signal, lockOptions.keyScheme(), "Redisson has no such object, and its clients would not hear it");
        return new EngineSignal(engine.latchwork(), keys);
    }

    @Override
    public LeaderElection getElection(String name) {
        Duration lease = shorter(LONGEST_DEFAULT_TERM_LEASE, lockOptions.watchdogLease());
        LockOptions options = lockOptions.toBuilder()
                .noLease()
                .watchdogLease(lockOptions
                        .maxHold()
                        .map(longest -> shorter(longest, lease))
                        .orElse(lease))
                .build();
        return getElection(name, options);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public LeaderElection getElection(String name, LockOptions options) {
        ElectionKeys keys = new ElectionKeys(name, Objects.requireNonNull(options, "options"));
        Named election = new Named("election", name);
        unoffered.onRedissonsKeys(
                election, options.keyScheme(), "Redisson has no such object, nor a lock with this order");
        facts.checkTokens(election);
        LockKind kind = facts.isQuorum() ? Reentrant.KIND : Queued.FAIR;
        return new EngineElection(
                engine.elections(), keys, new EngineLock(engine, terms(kind, options), name, keys.lock));
    }

    @Override
    public List<Finding> diagnose() {
        Parked<List<Finding>> parked = new Parked<>(facts.runtime().blocker(), "diagnose");
        new Preflight(facts).diagnose(parked);
        return parked.await();
    }

    @Override
    public RFuture<List<Finding>> diagnoseAsync() {
        Promise<List<Finding>, List<Finding>> promise = Promise.of(facts.callbacks());
        new Preflight(facts).diagnose(promise);
        return promise.future();
    }

    @Override
    public List<HeldLock> holds() {
        return engine.holds();
    }

    @Override
    public List<WaitingCall> waiters() {
        return engine.waiters();
    }

    @Override
    public List<ConnectionInfo> connections() {
        return Connections.of(facts);
    }

    @Override
    public Stream<LockInfo> locks(LockQuery query) {
        return engine.locks(Objects.requireNonNull(query, "query"));
    }

    /** What loses the holds of this name that there are now, as if their leases had run out. */
    public Runnable runningOut(String name) {
        return engine.cells().runningOut(name);
    }

    @Override
    public boolean isClosed() {
        return engine.isClosed();
    }

    @Override
    public void close() {
        CompletableFuture<Void> closing = engine.close();
        Parked<Done> parked;
        try {
            parked = new Parked<>(facts.runtime().blocker(), "close");
        } catch (IllegalStateException mayNotBlock) {
            return;
        }
        closing.whenComplete((nothing, failure) -> parked.complete(Done.DONE));
        parked.await();
    }

    @Override
    public String toString() {
        return "LockClient{" + facts.clientId() + ", " + facts.node() + (isClosed() ? ", closed" : "") + '}';
    }
}
