package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.EngineClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A process with a client of the library in it: it may be paused, suspended, crashed and closed. */
final class SimulatedClient {

    static final int THREADS = 3;
    private static final long MOST_WAKING_NANOS = 2_000_000;

    final World world;
    final int index;
    final String name;
    final ClientOptions options;
    final Climate climate;
    final Clock clock;
    final Chance network;
    final SimulatedRuntime runtime;
    final Heard heard;
    final RoundChecker rounds;
    final List<SimulatedBackend> backends = new ArrayList<>();
    private @Nullable SimulatedClusterBackend cluster;
    private final List<RLock> locks = new ArrayList<>();
    private final LockClient client;

    private final List<Event> putOff = new ArrayList<>();
    private boolean crashed;
    private boolean closed;
    private long pausedUntilNanos = -1;
    private long pausedNanos;
    /** When its clock did what clocks must not do, and until when what was asked for is touched by it. */
    private final List<long[]> clockDoubts = new ArrayList<>();

    private long closingNanos = Long.MAX_VALUE;

    /**
     * @param quorum how a lock over several servers behaves; null for one server
     * @param fences whether the servers allow a client to kill its own old connections
     */
    SimulatedClient(
            World world,
            int index,
            Clock clock,
            Chance network,
            ClientOptions options,
            Climate climate,
            @Nullable QuorumOptions quorum,
            List<SimulatedServer> servers,
            boolean fences,
            List<String> lockNames) {
        this(world, index, clock, network, options, climate, lockNames, client -> {
            for (SimulatedServer server : servers) {
                client.backends.add(new SimulatedBackend(client, server, fences));
            }
            return quorum == null
                    ? EngineClient.over(client.backends.get(0), client.options, "c" + index)
                    : EngineClient.overQuorum(client.backends, client.options, quorum, "c" + index);
        });
    }

    /** The same with locks in a cluster. */
    SimulatedClient(
            World world,
            int index,
            Clock clock,
            Chance network,
            ClientOptions options,
            Climate climate,
            SimulatedCluster nodes,
            boolean fences,
            List<String> lockNames) {
        this(world, index, clock, network, options, climate, lockNames, client -> {
            SimulatedClusterBackend backend = new SimulatedClusterBackend(client, nodes, fences);
            client.cluster = backend;
            return EngineClient.over(backend, client.options, "c" + index);
        });
    }

    private SimulatedClient(
            World world,
            int index,
            Clock clock,
            Chance network,
            ClientOptions options,
            Climate climate,
            List<String> lockNames,
            Function<SimulatedClient, LockClient> connect) {
        this.world = world;
        this.index = index;
        this.name = "client-" + index;
        this.clock = clock;
        this.heard = new Heard(world);
        this.rounds = new RoundChecker(this);
        this.network = network;
        this.options = climate.choosy() ? withChosenExecutor(options) : options;
        this.climate = climate;
        this.runtime = new SimulatedRuntime(world, this, clock, new Chance(network.below(Long.MAX_VALUE), index));
        this.client = connect.apply(this);
        for (String lockName : lockNames) {
            locks.add(climate.form(index).of(client, lockName));
        }
    }

    private ClientOptions withChosenExecutor(ClientOptions shared) {
        return shared.toBuilder()
                .callbackExecutor(new ChosenExecutor(this, new Chance(network.below(Long.MAX_VALUE), index)))
                .build();
    }

    LockClient api() {
        return client;
    }

    /** Its part of a cluster. */
    SimulatedClusterBackend cluster() {
        return Objects.requireNonNull(cluster, "a client of a cluster");
    }

    RLock lock(int lock) {
        return locks.get(lock);
    }

    /** Since when it has been hearing messages again, after a connection for messages was lost; now, if it does not. */
    long listeningSinceNanos() {
        long since = 0;
        for (SimulatedBackend backend : backends) {
            since = Math.max(since, backend.messages.listeningSinceNanos());
        }
        return since;
    }

    /** How often a thread holds a lock, by this client's word. */
    int heldTimes(int lock, long threadId) {
        return lock(lock).getHoldCountAsync(threadId).toCompletableFuture().getNow(0);
    }

    long nanos() {
        return clock.nanos();
    }

    // --- pauses ---

    /** Whether anything can happen in this process now. */
    boolean isRunning() {
        return !crashed && world.nanos() >= pausedUntilNanos;
    }

    boolean isCrashed() {
        return crashed;
    }

    /** Keeps an event that can't happen while the process does not run. */
    void putOff(Event event) {
        if (!crashed) {
            putOff.add(event);
        }
    }

    /**
     * The process stops for a while.
     *
     * @param clockStands whether its clock stands still too, as when a whole virtual machine is suspended
     */
    void pause(long nanos, boolean clockStands) {
        if (!isRunning()) {
            return;
        }
        pausedUntilNanos = world.nanos() + nanos;
        pausedNanos += nanos;
        clock.stand(clockStands);
        world.after(nanos, this::wake);
    }

    private void wake() {
        clock.stand(false);
        List<Event> late = List.copyOf(putOff);
        putOff.clear();
        for (Event event : late) {
            world.plan(event, network.below(MOST_WAKING_NANOS));
        }
    }

    /** When it went on after its latest pause; negative if it never paused. */
    long wokenNanos() {
        return pausedUntilNanos;
    }

    /** For how long it has been paused in all. */
    long pausedNanos() {
        return pausedNanos - Math.max(0, pausedUntilNanos - world.nanos());
    }

    /** Its clock did what clocks must not do: what was asked for before this ends may last longer than it says. */
    void doubtClock(long nanos) {
        clockDoubts.add(new long[] {world.nanos(), world.nanos() + nanos});
    }

    /** Whether something that was asked for at a time was timed by a clock that did what clocks must not do. */
    boolean isClockDoubted(long askedNanos) {
        return clockDoubtedNanos(askedNanos) < Long.MAX_VALUE;
    }

    /** Since when {@link #isClockDoubted} is true; {@link Long#MAX_VALUE} if it is not. */
    long clockDoubtedNanos(long askedNanos) {
        for (long[] doubt : clockDoubts) {
            if (askedNanos <= doubt[1]) {
                return Math.max(askedNanos, doubt[0]);
            }
        }
        return Long.MAX_VALUE;
    }

    // --- calls that block ---

    /** A thread of this process. */
    SimulatedThread thread(int number) {
        return ThreadPool.ofThread().thread(THREADS * index + number);
    }

    // --- the end ---

    void crash() {
        crashed = true;
        putOff.clear();
        for (SimulatedBackend backend : backends) {
            backend.commands.crash();
            backend.messages.crash();
        }
        if (cluster != null) {
            cluster.network.crash();
        }
        world.abandonCalls(this);
    }

    /** It is being closed: from now on it gives back by itself what its owners have. */
    void closing() {
        closingNanos = Math.min(closingNanos, world.nanos());
    }

    long closingNanos() {
        return closingNanos;
    }

    /** Every call was answered, and nobody listens any more: the client was closed. */
    void ended() {
        closed = true;
        runtime.close();
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether it can be asked for locks. */
    boolean isInUse() {
        return !crashed && !closed && !client.isClosed();
    }
}
