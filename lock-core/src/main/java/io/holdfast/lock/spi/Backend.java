package io.holdfast.lock.spi;

import io.holdfast.lock.text.Printable;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;

/**
 * One store that keeps locks: a server, a Sentinel group or a Cluster.
 *
 * <p>The engine sees nothing of sockets. It hands over calls and gets exactly one answer for each; it is told when a
 * node comes and goes; and it asks the {@link Runtime} for time. A transport never sends bytes again that may have
 * reached a socket: only the engine repeats a step, because only the engine knows whether repeating it is harmless.
 */
public interface Backend {

    /**
     * Sends a call. Any thread may do so; it never blocks and never throws: what goes wrong reaches
     * {@link ScriptCall#onFault}. All calls with one slot travel over one connection, in the order of the calls, but
     * that urgent ones ({@link ScriptCall#isUrgent}) go ahead of ordinary ones that are not written yet (rule 80).
     *
     * <p>The fault may come before this returns, on the calling thread: {@code QUEUE_FULL} for an ordinary call that finds
     * no room or, after {@link #close}, {@code CLOSED}. A call that could not be written within a command timeout is not
     * written any more, and had no effect.
     */
    void send(ScriptCall call);

    /**
     * Runs a task once, as soon as there is room for ordinary calls: soon, on a transport's thread, and with the number of
     * calls for which there is. The transport keeps one task of each client that shares it, so that the client decides
     * which call comes next and its calls need not ask again and again. A transport that refuses no call keeps none.
     */
    default void whenRoom(IntConsumer task) {}

    /** Sends calls, one after the other, as {@link #send} does. A transport that can writes them together. */
    default void sendAll(Collection<? extends ScriptCall> calls) {
        calls.forEach(this::send);
    }

    /**
     * Subscribes to a channel until the subscription is closed. Any number of subscriptions may share a channel.
     *
     * @param slot where the lock lives, so that sharded stores can pick the node
     */
    Subscription subscribe(int slot, byte[] channel, Wakeup wakeup);

    /**
     * The group of a slot's renewals: two slots with equal shards may share one script call. Asked anew for every round of
     * renewals: with a connection to another server the answer may change.
     */
    Object shard(int slot);

    /**
     * The keeper of a slot, by identity: calls for slots of one keeper may hold each other up, others never do. Asked anew for
     * every call; a slot may have another keeper the next time.
     */
    default Object keeper(int slot) {
        return this;
    }

    /**
     * Tells of so many holds more in a slot, or fewer: what has to do with them may be asked for at any time. A transport that ends
     * connections with nothing to do keeps those to the keepers of such slots. Any thread; it never blocks.
     */
    default void keeps(int slot, int more) {}

    /** A slot of each part of the store, so that calls for these slots reach all that it has. */
    default List<Integer> parts() {
        return List.of(0);
    }

    /** The server process that the latest connection for calls led to; it may be gone by now. Unknown where there are several. */
    ServerRun run();

    /** The server process that the calls of a slot were last sent to. */
    default ServerRun run(int slot) {
        return run();
    }

    /**
     * The identity of the server that has a slot: the same for every client of it that knows as much. A server may
     * be reached by several addresses, so it is its own id, where that is known.
     */
    default String server(int slot) {
        ServerRun run = run(slot);
        return run.isKnown() ? run.id() : describe();
    }

    /** The server processes that calls of a slot may be answered by now: one, or two while its keys are at two nodes. */
    default List<ServerRun> runs(int slot) {
        return List.of(run(slot));
    }

    /**
     * Registers a listener that hears of every node for as long as the backend lives; {@link NodeListener#up} is
     * repeated to it for a connection that is up already, and {@link NodeListener#unreachable} for a node that the latest
     * attempt did not reach. That too comes on a transport's thread.
     */
    void listen(NodeListener listener);

    /**
     * Registers a listener that hears of every lasting connection for as long as the backend lives; {@link
     * ConnectionListener#up} is repeated to it for those that are up already. A transport without connections tells nothing.
     */
    default void listenToConnections(ConnectionListener listener) {}

    /**
     * Prepares to ask replicas for one client whose options want that.
     *
     * @param key what the client may write at the server, so that there is something to wait for
     * @param replicas how many have to confirm
     * @param timeoutNanos how long they have
     * @param onDisk whether what was granted has to be on their disks, and on the server's own
     * @throws UnsupportedOperationException if this store has no replicas that could be asked
     */
    default Replication replication(String key, int replicas, long timeoutNanos, boolean onDisk) {
        throw new UnsupportedOperationException("waitForReplicas: the transport to " + Printable.of(describe())
                + " can't ask replicas (expected: one that can)");
    }

    /**
     * Prepares to tell one client whether Sentinels vouch for the server.
     *
     * @param silenceNanos for how long an answer of a Sentinel counts, from when it was asked for
     * @throws UnsupportedOperationException if this store has no Sentinels that decide which server it is
     */
    default Vouching vouching(long silenceNanos) {
        throw new UnsupportedOperationException("failoverGuard: " + Printable.of(describe())
                + " has no Sentinels that say which server is the primary (expected: a redis-sentinel:// address)");
    }

    /** Time, timers, randomness and threads. */
    Runtime runtime();

    /**
     * True if this leads to one server now and may lead to another later, which has not heard of all locks of the first. Of
     * such stores no quorum is made.
     */
    default boolean mayFailOver() {
        return false;
    }

    /**
     * Asks the servers how they are set up, on connections of its own and within a bounded time. A server that can't be asked
     * is reported as such: the stage does not fail. Its dependents run on a transport's thread, and must not block.
     *
     * @return a report of each server that locks are on, or may come to be on; none where the transport can't ask
     */
    default CompletionStage<List<ServerReport>> survey(Survey survey) {
        return CompletableFuture.completedFuture(List.of());
    }

    /** The connections that there are, and how they stand. Any thread; it never blocks. None where the transport can't tell. */
    default List<NodeConnection> connections() {
        return List.of();
    }

    /** A name for messages: the address as the user gave it, without secrets. */
    String describe();

    /** Closes connections, timers and threads; calls in flight fail. The stage completes when nothing is left. */
    CompletionStage<Void> close(long graceNanos);
}
