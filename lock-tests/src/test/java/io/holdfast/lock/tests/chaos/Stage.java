package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServerBuilder;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * What a row plays on: servers, proxies, clients, loads, and the journal that all of them write. Whatever is made here is
 * ended with the row.
 */
final class Stage implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    final Row row;
    final Journal journal;
    final Random random;
    final boolean brief;
    private final boolean asking;
    final Troupe troupe;

    private final List<AutoCloseable> props = new ArrayList<>();
    private final List<AutoCloseable> afterwards = new ArrayList<>();
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<PlayedLoad> loads = new ArrayList<>();

    Stage(Row row, Manner manner, Troupe troupe, Journal journal) {
        this.row = row;
        this.random = new Random(manner.seed() + row.number());
        this.brief = manner.brief();
        this.asking = manner.asking();
        this.troupe = troupe;
        this.journal = journal;
    }

    // --- what a row is made of ---

    RedisServer server() {
        return server(builder -> builder);
    }

    RedisServer server(UnaryOperator<RedisServerBuilder> settings) {
        RedisServer server = settings.apply(RedisServer.builder()).start();
        servers.add(server);
        return server;
    }

    /** A cluster of three primaries with a replica each. */
    ServerCluster cluster() {
        ServerCluster cluster = ServerCluster.start(3, 1);
        servers.addAll(cluster.nodes());
        return cluster;
    }

    /** A primary, two replicas and three Sentinels. */
    SentinelGroup sentinels() {
        SentinelGroup group = SentinelGroup.start();
        closingLast(group);
        servers.addAll(group.servers());
        return group;
    }

    FaultProxy proxy(RedisServer server) {
        FaultProxy proxy = FaultProxy.to(server);
        proxies.add(proxy);
        return proxy;
    }

    List<RedisServer> servers() {
        return servers;
    }

    RawRedis raw(RedisServer server) {
        return closing(server.connect());
    }

    LockClient client(String url) {
        return client(url, Clients.quick());
    }

    LockClient client(String url, ClientOptions.Builder options) {
        return closing(LockClient.connect(url, own(options)));
    }

    private ClientOptions own(ClientOptions.Builder options) {
        return options.clientName("chaos-own").localHandOver(!asking).build();
    }

    LockClient quorum(List<String> urls) {
        return closing(LockClient.connectQuorum(urls, own(Clients.quick()), HoldfastParty.PATIENT));
    }

    /** Somebody of this process who takes locks; the watchdog's lease is two seconds. */
    Actor actor(String lane, LockClient client) {
        return actor(lane, client, Clients.watchdog(Duration.ofSeconds(2)));
    }

    Actor actor(String lane, LockClient client, LockOptions options) {
        return new Actor(journal, lane, client, options, row.is(Row.Trait.IN_TURN));
    }

    /** A lock of the kind that the row is about. */
    RLock lock(LockClient client, String name) {
        return row.is(Row.Trait.IN_TURN) ? client.getFairLock(name) : client.getLock(name);
    }

    <C extends AutoCloseable> C closing(C prop) {
        props.add(prop);
        return prop;
    }

    /** Ends something when all else has ended. */
    void closingLast(AutoCloseable prop) {
        afterwards.add(prop);
    }

    /** For a row whose servers end before it does. */
    void closeClients() {
        closeAll(props);
    }

    // --- loads ---

    /** Two processes with two lanes each. */
    PlayedLoad load(String... urls) throws Exception {
        return load(plan(urls));
    }

    LoadPlan plan(String... urls) {
        LoadPlan plan = LoadPlan.of(row.name(), List.of(urls)).inTurn(row.is(Row.Trait.IN_TURN));
        return asking ? plan.with(Peer.ASKING) : plan;
    }

    PlayedLoad load(LoadPlan plan) throws Exception {
        return load(plan, plan);
    }

    /** A process for each plan. */
    PlayedLoad load(LoadPlan... plans) throws Exception {
        PlayedLoad load = new PlayedLoad(this, List.of(plans));
        loads.add(load);
        load.start();
        return load;
    }

    /** What all loads have added to. */
    List<String> counters() {
        return loads.stream()
                .flatMap(load -> load.counters().stream())
                .distinct()
                .toList();
    }

    int rounds(int few, int many) {
        return brief ? few : many;
    }

    // --- faults ---

    /** Does something that keeps clients from locks, and marks the time. */
    void fault(String label, Background.Work work) throws Exception {
        fault(label, Seen.Harm.OUTAGE, work);
    }

    /** As {@link #fault(String, Background.Work)}, but locks have to be granted all the same. */
    void trouble(String label, Background.Work work) throws Exception {
        fault(label, Seen.Harm.TROUBLE, work);
    }

    /** As {@link #fault(String, Background.Work)}, where clients stand still. */
    void freeze(String label, Background.Work work) throws Exception {
        fault(label, Seen.Harm.FREEZE, work);
    }

    private void fault(String label, Seen.Harm harm, Background.Work work) throws Exception {
        long from = System.nanoTime();
        try {
            work.run();
        } finally {
            journal.see(new Seen.Fault(label, harm, from, System.nanoTime()));
        }
    }

    /** Lets a fault last. */
    void during(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }

    void during(long millis) throws InterruptedException {
        during(Duration.ofMillis(millis));
    }

    /** What a server may have forgotten since then. */
    void forgot(long sinceNanos, String... locks) {
        for (String lock : locks) {
            journal.see(new Seen.Forgot(lock, sinceNanos, System.nanoTime()));
        }
    }

    // --- findings ---

    void bite(long count, String what) {
        journal.see(new Seen.Bite(count, what));
    }

    void note(String text) {
        journal.see(new Seen.Note(text));
    }

    void expect(boolean held, String check, String otherwise) {
        if (!held) {
            journal.see(new Seen.Problem(check, otherwise));
        }
    }

    /** Waits until something is so; that it does not become so is a problem, and ends the row. */
    void await(String what, Duration longest, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(what + ": not within " + longest.toMillis() + " ms");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    void await(String what, BooleanSupplier condition) throws InterruptedException {
        await(what, PATIENCE, condition);
    }

    static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    // --- the end ---

    /** Ends all faults and loads, and looks whether anything is left behind. */
    void drain() throws Exception {
        proxies.forEach(FaultProxy::heal);
        for (RedisServer server : servers) {
            if (server.isAlive()) {
                server.resume();
            }
        }
        for (PlayedLoad load : loads) {
            load.stop();
        }
        Leftovers leftovers = new Leftovers(this);
        leftovers.checkKeys(servers);
        for (PlayedLoad load : loads) {
            load.shut();
        }
        closeAll(props);
        leftovers.checkConnections(servers);
        leftovers.checkThreads();
    }

    private void closeAll(List<AutoCloseable> some) {
        for (int i = some.size() - 1; i >= 0; i--) {
            try {
                some.get(i).close();
            } catch (Exception failure) {
                journal.see(new Seen.Problem("LV", "closing failed: " + failure));
            }
        }
        some.clear();
    }

    @Override
    public void close() {
        for (RedisServer server : servers) {
            if (server.isAlive()) {
                server.resume();
            }
        }
        for (PlayedLoad load : loads) {
            load.abandon();
        }
        closeAll(props);
        proxies.forEach(FaultProxy::close);
        servers.forEach(RedisServer::close);
        closeAll(afterwards);
    }
}
