package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.Ground;
import io.holdfast.lock.tests.support.NodesTogether;
import io.holdfast.lock.tests.support.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * A simulated world for a test that is written for real servers: it waits in simulated time. The test's steps run on
 * threads of this world, which go on while the world stands still, see {@link SimulatedWorldExtension}.
 */
public final class SimulatedGround implements Ground {

    private static final long SEED = 1;
    private static final long EPOCH_MICROS = 1_700_000_000_000_000L;
    private static final int PRIMARIES = 3;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final World world = new World(SEED, null);
    private final Thread worldThread = Thread.currentThread();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private @Nullable SimulatedCluster cluster;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<SimulatedThread> threads = new ArrayList<>();

    /** With as many servers as that. */
    public SimulatedGround with(int count) {
        for (int i = 0; i < count; i++) {
            servers.add(new SimulatedServer(
                    world, i, new Clock(world, 0, 0), EPOCH_MICROS, new Chance(SEED, i), Unconcerned.WITNESS));
        }
        return this;
    }

    /** With the nodes of a cluster: three primaries and their replicas. */
    public SimulatedGround withCluster() {
        with(2 * PRIMARIES);
        cluster = new SimulatedCluster(world, new Chance(SEED, servers.size()), servers, PRIMARIES);
        return this;
    }

    /** Runs what may block on a thread of this world, and lets the world go on until it has done. */
    void run(Runnable body) {
        boolean[] over = {false};
        SimulatedThread thread = newThread("test");
        thread.execute(() -> {
            try {
                body.run();
            } finally {
                over[0] = true;
            }
        });
        while (!over[0]) {
            world.stepOn();
        }
    }

    /** Ends the threads; those that still wait for something are left to the end of the process. */
    void endThreads() {
        threads.stream().filter(thread -> !thread.isBusy()).forEach(SimulatedThread::dismiss);
    }

    private SimulatedThread newThread(String name) {
        SimulatedThread thread = new SimulatedThread(name, threads.size(), worldThread);
        threads.add(thread);
        return thread;
    }

    private void await(BooleanSupplier done) {
        if (!done.getAsBoolean()) {
            SimulatedThread.current().waitUntil(world, null, done);
        }
    }

    private void sleep(long nanos) {
        long until = world.nanos() + nanos;
        world.after(nanos, () -> {});
        await(() -> world.nanos() >= until);
    }

    // --- what a test asks for ---

    @Override
    public Site connect(ClientOptions options) {
        Clock clock = new Clock(world, 0, 0);
        Chance network = new Chance(SEED, 10 + clients.size());
        SimulatedClient client = cluster == null
                ? new SimulatedClient(
                        world,
                        clients.size(),
                        clock,
                        network,
                        options,
                        Climate.USUAL,
                        servers.size() == 1 ? null : Site.PATIENT,
                        servers,
                        true,
                        List.of())
                : new SimulatedClient(
                        world, clients.size(), clock, network, options, Climate.USUAL, cluster, true, List.of());
        clients.add(client);
        return Site.of(client.api());
    }

    @Override
    public Caller caller() {
        SimulatedThread thread = newThread("party");
        return new Caller() {
            @Override
            public <T> T call(Callable<T> body) {
                return get(on(thread, body));
            }

            @Override
            public void close() {
                // It ends with the world.
            }
        };
    }

    @Override
    public <T> Future<T> elsewhere(Callable<T> task) {
        return on(newThread("elsewhere"), task);
    }

    private <T> Future<T> on(SimulatedThread thread, Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        world.after(0, () -> thread.execute(() -> complete(result, task)));
        return result;
    }

    private static <T> void complete(CompletableFuture<T> result, Callable<T> task) {
        try {
            result.complete(task.call());
        } catch (Exception | AssertionError failure) {
            result.completeExceptionally(failure);
        }
    }

    @Override
    public <T> T get(Future<T> future) {
        await(future::isDone);
        return Futures.get(future);
    }

    @Override
    public void eventually(ThrowingRunnable assertion) {
        long last = world.nanos() + SETTLED_NANOS;
        while (true) {
            try {
                assertion.run();
                return;
            } catch (AssertionError notYet) {
                if (world.nanos() >= last) {
                    throw notYet;
                }
            } catch (RuntimeException | Error failure) {
                throw failure;
            } catch (Throwable failure) {
                throw new IllegalStateException(failure);
            }
            sleep(LOOK_NANOS);
        }
    }

    @Override
    public void pause() {
        sleep(PAUSE_NANOS);
    }

    @Override
    public long nanos() {
        return world.nanos();
    }

    @Override
    public List<Node> nodes() {
        List<Node> each = servers.stream().<Node>map(SimulatedNode::new).toList();
        SimulatedCluster nodes = cluster;
        return nodes == null
                ? each
                : List.of(new NodesTogether(
                        each,
                        () -> nodes.primaries().stream()
                                .map(primary -> each.get(primary.index))
                                .toList(),
                        key -> each.get(nodes.primary(SlotTable.slotOf(LuaString.valueOf(key))).index)));
    }

    @Override
    public void end() {
        eventually(() -> assertThat(nodes()).allSatisfy(node -> assertThat(node.keys())
                .as("keys left")
                .allMatch(key -> key.matches(".+:(token|client):\\{.*}|.+}:turns|holdfast:marker"))));
        clients.forEach(client -> {
            client.api().close();
            client.ended();
        });
        eventually(() -> assertThat(servers)
                .allSatisfy(server -> assertThat(server.subscriptions()).isZero()));
        for (SimulatedClient client : clients) {
            for (SimulatedBackend backend : client.backends) {
                assertThat(backend.commands.open()).as("requests left").isZero();
            }
            if (cluster != null) {
                assertThat(client.cluster().network.open())
                        .as("requests left in the cluster")
                        .isZero();
            }
        }
    }
}
