package io.holdfast.lock;

import io.holdfast.lock.spi.client.LockProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the store of the locks, and the way to the locks in it. One client serves a whole application.
 *
 * <p>Not for implementing: later versions add methods. A transport makes clients by
 * {@link io.holdfast.lock.spi.client.Clients}.
 *
 * <pre>{@code
 * try (LockClient client = LockClient.connect("redis://127.0.0.1:6379")) {
 *     client.runLocked("report", Duration.ofSeconds(5), hold -> writeReport(hold.fencingToken()));
 * }
 * }</pre>
 */
public interface LockClient extends AutoCloseable {

    /**
     * Connects to a server, with all defaults.
     *
     * @param url {@code redis://[[user]:password@]host[:port][/database]} for a server;
     *     {@code redis-sentinel://[[user]:password@]sentinel[:port],sentinel[:port]/primary[/database]} for the primary that
     *     the Sentinels name; {@code redis-replicas://[[user]:password@]host[:port],host[:port][/database]} for the primary
     *     among several; {@code redis-cluster://[[user]:password@]host[:port],host[:port][/database]} for a cluster; these with {@code rediss} for {@code redis}, for TLS, or
     *     with {@code valkey} for {@code redis}, which means the same; or
     *     {@code unix://[[user]:password@]/path[?database=number]} for a Unix socket; with {@code lock-memory}, {@code memory:}
     *     for locks of this process alone, {@code memory:name} for those that clients of one name share
     * @throws IllegalArgumentException if the address is malformed
     * @throws LockUnavailableException if the server cannot be reached within the connect timeout
     * @throws LockServerException if it refuses the credentials, or is not a Redis or Valkey server
     */
    static LockClient connect(String url) {
        return connect(url, ClientOptions.defaults());
    }

    /**
     * Connects to a server; {@link ClientOptions.Builder#lazy(boolean)} puts the connecting off.
     *
     * @throws IllegalArgumentException also if the options have another address
     */
    static LockClient connect(String url, ClientOptions options) {
        Options.notElsewhere(url, options);
        return LockProvider.serving(url).connect(url, options);
    }

    /**
     * Connects to the server whose address the options have: {@code LockClient.connect(ClientOptions.fromEnvironment())}.
     *
     * @throws IllegalArgumentException also if they have none
     */
    static LockClient connect(ClientOptions options) {
        return connect(Options.requiredAddress(options), options);
    }

    /** The asynchronous twin of {@link #connect(String)}. */
    static CompletableFuture<LockClient> connectAsync(String url) {
        return connectAsync(url, ClientOptions.defaults());
    }

    /**
     * The asynchronous twin of {@link #connect(String, ClientOptions)}. Dependents run on a thread of the client's that may
     * block. Cancelling the future closes the client.
     */
    static CompletableFuture<LockClient> connectAsync(String url, ClientOptions options) {
        Options.notElsewhere(url, options);
        return LockProvider.serving(url).connectAsync(url, options);
    }

    /** The asynchronous twin of {@link #connect(ClientOptions)}. */
    static CompletableFuture<LockClient> connectAsync(ClientOptions options) {
        return connectAsync(Options.requiredAddress(options), options);
    }

    /**
     * Connects to several independent servers, with all defaults. Its locks are RedLocks: each is held by the owner to
     * which a majority of the servers has granted it. It has plain and read/write locks and elections, and none of what
     * needs an order or a count that all servers share.
     *
     * @param urls one for each server; an odd number from 3 on is advised
     * @throws IllegalArgumentException if an address is malformed, or two lead to the same server
     * @throws LockUnavailableException if no majority of the servers can be reached within the connect timeout
     */
    static LockClient connectQuorum(String... urls) {
        return connectQuorum(List.of(urls), ClientOptions.defaults(), QuorumOptions.defaults());
    }

    /** Connects to several independent servers. The options have no address. */
    static LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        Options.noAddress(options);
        Options.noReplicas(options);
        Options.noGuard(options);
        return LockProvider.servingAll(urls).connectQuorum(List.copyOf(urls), options, quorum);
    }

    /** The asynchronous twin of {@link #connectQuorum(String...)}. */
    static CompletableFuture<LockClient> connectQuorumAsync(String... urls) {
        return connectQuorumAsync(List.of(urls), ClientOptions.defaults(), QuorumOptions.defaults());
    }

    /** The asynchronous twin of {@link #connectQuorum(List, ClientOptions, QuorumOptions)}. */
    static CompletableFuture<LockClient> connectQuorumAsync(
            List<String> urls, ClientOptions options, QuorumOptions quorum) {
        Options.noAddress(options);
        Options.noReplicas(options);
        Options.noGuard(options);
        return LockProvider.servingAll(urls).connectQuorumAsync(List.copyOf(urls), options, quorum);
    }

    /** This client's identity: the first part of every owner in the store. */
    String id();

    /** As {@link #id()}, by the name that it has in Redisson. */
    default String getId() {
        return id();
    }

    /**
     * The lock of this name. Cheap: nothing is sent, and any number of objects may stand for one lock.
     *
     * @throws IllegalArgumentException if the name is empty, longer than 1,024 bytes, not well-formed, or impossible
     *     in the key scheme
     */
    RLock getLock(String name);

    /** The lock of this name, with options of its own. */
    RLock getLock(String name, LockOptions options);

    /**
     * The lock of this name, with the methods of Redisson's fenced lock.
     *
     * @throws IllegalStateException if fencing tokens are switched off in the client's {@link QuorumOptions}
     */
    RFencedLock getFencedLock(String name);

    /** The lock of this name, with options of its own and the methods of Redisson's fenced lock. */
    RFencedLock getFencedLock(String name, LockOptions options);

    /**
     * The lock of this name, which its waiters get in the order in which they came, in whatever process they are. A waiter keeps its
     * place through lost messages and connections; its client loses it when the server has not heard of that for 15 s, and a call
     * that does not answer within a second when its turn comes has to come anew. A call of {@code tryLock()} without a wait does
     * not pass those that wait. All else is as in {@link #getLock}, and both are one lock: only the order is not kept where
     * calls of {@code getLock} are among those that want it. It has {@linkplain RLock#newCondition(String) conditions}.
     *
     * @throws UnsupportedOperationException in the redisson scheme, and over a quorum
     */
    RLock getFairLock(String name);

    /** The fair lock of this name, with options of its own. */
    RLock getFairLock(String name, LockOptions options);

    /**
     * The read/write lock of this name. Over a quorum it has no order: a stream of readers may keep a writer out for ever, see
     * {@link RReadWriteLock}.
     *
     * @throws UnsupportedOperationException in the redisson scheme
     */
    RReadWriteLock getReadWriteLock(String name);

    /** The read/write lock of this name, with options of its own. */
    RReadWriteLock getReadWriteLock(String name, LockOptions options);

    /** As {@link MultiLock#of(RLock...)}. The locks may be of other clients. */
    default RLock getMultiLock(RLock... locks) {
        return MultiLock.of(locks);
    }

    /** As {@link RedLock#of(RLock...)}. The locks are of different clients, each of a server of its own. */
    default RLock getRedLock(RLock... locks) {
        return RedLock.of(locks);
    }

    /** As {@link RLock#run}, for the lock of this name. */
    default <X extends Exception> void runLocked(String name, Duration wait, LockedAction<X> action)
            throws X, InterruptedException {
        getLock(name).run(wait, action);
    }

    /** As {@link RLock#call}, for the lock of this name. */
    default <T extends @Nullable Object, X extends Exception> T callLocked(
            String name, Duration wait, LockedTask<T, X> task) throws X, InterruptedException {
        return getLock(name).call(wait, task);
    }

    /** As {@link RLock#inspect}, for the lock of this name. */
    default LockInfo inspect(String name) {
        return getLock(name).inspect();
    }

    /** As {@link #inspect(String)}, for a lock with options of its own: their key scheme and prefix say where it is. */
    default LockInfo inspect(String name, LockOptions options) {
        return getLock(name, options).inspect();
    }

    /** The asynchronous twin of {@link #inspect(String)}. */
    default RFuture<LockInfo> inspectAsync(String name) {
        return getLock(name).inspectAsync();
    }

    /** The asynchronous twin of {@link #inspect(String, LockOptions)}. */
    default RFuture<LockInfo> inspectAsync(String name, LockOptions options) {
        return getLock(name, options).inspectAsync();
    }

    /** The value of this name, to be written under fencing tokens. */
    FencedValue getFencedValue(String name);

    /**
     * The semaphore of this name, whose permits belong to this client. Cheap: nothing is sent.
     *
     * @throws IllegalArgumentException if the name is empty, longer than 1,024 bytes or not well-formed
     * @throws UnsupportedOperationException if the client's locks are kept by a quorum, or with Redisson's keys
     */
    RSemaphore getSemaphore(String name);

    /** The semaphore of this name, with options of its own. */
    RSemaphore getSemaphore(String name, LockOptions options);

    /**
     * The semaphore of this name, whose permits are given back by their ids. Cheap: nothing is sent.
     *
     * @throws IllegalArgumentException if the name is empty, longer than 1,024 bytes or not well-formed
     * @throws UnsupportedOperationException if the client's locks are kept by a quorum, or with Redisson's keys
     */
    RPermitExpirableSemaphore getPermitExpirableSemaphore(String name);

    /** The same, with options of its own. */
    RPermitExpirableSemaphore getPermitExpirableSemaphore(String name, LockOptions options);

    /**
     * The count-down latch of this name, at the keys that the client's {@link LockOptions} name. Cheap: nothing is sent.
     *
     * @throws IllegalArgumentException if the name is empty, longer than 1,024 bytes or not well-formed
     * @throws UnsupportedOperationException if the client's locks are kept by a quorum, or with Redisson's keys
     */
    RCountDownLatch getCountDownLatch(String name);

    /**
     * The signal of this name, as {@link #getCountDownLatch(String)} has it.
     *
     * @throws IllegalArgumentException if the name is empty, longer than 1,024 bytes or not well-formed
     * @throws UnsupportedOperationException if the client's locks are kept by a quorum, or with Redisson's keys
     */
    RSignal getSignal(String name);

    /**
     * The election of this name, at the keys that the client's {@link LockOptions} name. Its leases are renewed by the watchdog, and last
     * ten seconds, or as long as those of the client's locks if that is shorter. Cheap: nothing is sent.
     *
     * <p>Over a quorum a majority of the servers decides who leads, and candidates have no order.
     *
     * @throws IllegalArgumentException if the name is empty, longer than 1,024 bytes or not well-formed
     * @throws IllegalStateException if fencing tokens, which terms are, are switched off in the client's {@link QuorumOptions}
     * @throws UnsupportedOperationException if the client's locks are kept with Redisson's keys
     */
    LeaderElection getElection(String name);

    /** The election of this name, with options of its own for the lock behind it: their lease is that of a leader. */
    LeaderElection getElection(String name, LockOptions options);

    /**
     * Asks the servers how they are set up, and says what an operator should know of it before locks depend on them. It asks on
     * connections of its own, and each server has the connect timeout to answer; one that does not is a finding. An interrupt
     * does not end it.
     *
     * @return the worst first; empty if nothing was found
     * @throws LockClientClosedException if the client is closed, also meanwhile
     */
    List<Finding> diagnose();

    /** The asynchronous twin of {@link #diagnose()}. */
    RFuture<List<Finding>> diagnoseAsync();

    /** This client's own holds. A copy, made without asking a server and without keeping any lock waiting. */
    List<HeldLock> holds();

    /** This client's calls that want a lock. A copy, as {@link #holds()} is. */
    List<WaitingCall> waiters();

    /** This client's connections. A copy, as {@link #holds()} is. */
    List<ConnectionInfo> connections();

    /**
     * The locks of the store that a query asks for, as a stream that is read in pages as it is consumed. Each lock comes once. A lock
     * that is taken or released meanwhile may come or not. Close the stream if it is not read to its end.
     *
     * @throws IllegalStateException on a thread that may not block; reading the stream throws it as well
     */
    Stream<LockInfo> locks(LockQuery query);

    /** True once {@link #close()} was called. */
    boolean isClosed();

    /**
     * Closes the client: waiting calls fail, holds are lost with {@link LossReason#CLIENT_CLOSED}, and connections and
     * threads end, within one command timeout. What the watchdog renews is released on the server. A hold with a fixed
     * lease at any of its levels stays there until that is over, as if it had run out: what was taken for an hour is not
     * free because its process is restarted.
     *
     * <p>Legal on any thread; a second call does nothing. On a thread that may not block it returns at once and the rest
     * happens in the background.
     */
    @Override
    void close();

    /** As {@link #close()}, by the name that it has in Redisson. */
    default void shutdown() {
        close();
    }

    /** As {@link #isClosed()}, by the name that it has in Redisson. */
    default boolean isShutdown() {
        return isClosed();
    }
}
