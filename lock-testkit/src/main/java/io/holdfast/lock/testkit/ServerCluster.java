package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A Redis Cluster, or one of Valkey: masters that share the slots, and their replicas, as real processes on this machine.
 *
 * <pre>{@code
 * try (ServerCluster cluster = ServerCluster.start(3, 1)) {  // three masters with one replica each
 *     MyClient client = MyClient.connect(cluster.url());
 *     RedisServer one = cluster.masters().get(0);
 *     RedisServer other = cluster.masters().get(1);
 *     String key = "{" + cluster.tagAt(one) + "}stock";
 *     int slot = ServerCluster.slotOf(key);
 *     cluster.moveSlot(slot, other);                         // with all its keys
 *     SlotMove move = cluster.beginMove(slot, one);          // in stages: from here on the slot is open
 *     move.moveKey(key);
 *     move.finish();                                         // or callOff()
 *     RedisServer next = cluster.replicaOf(one);
 *     cluster.failOver(next);                                // by the command
 *     next.kill();                                           // or pause(), for a machine that hangs
 *     cluster.awaitOtherMaster(slot, next);                  // in three to five seconds
 *     cluster.reset();                                       // slots, roles and data as at the start
 * }
 * }</pre>
 *
 * <p>When a cluster is handed out, all nodes know each other and serve their slots, and the replicas follow. Each node is a
 * {@link RedisServer}, which can be paused, resumed, killed, restarted and asked. Each has a directory of its own and a port,
 * and the port 10,000 above for the other nodes; all of it goes away with {@link #close()}, and also when the JVM ends without
 * it. A node that is started again knows the others, and serves its slots two seconds later: {@link #awaitSettled()}.
 *
 * <p>A master that stood still, and was replaced, executes what clients had sent to it meanwhile, and answers as if all were
 * well, before it hears of the new master a few milliseconds later.
 *
 * <p>Safe for use by many threads, but {@link #reset()}, {@link #meet} and {@link #forget} by one at a time.
 */
public final class ServerCluster implements AutoCloseable {
    private static final Duration LIMIT = ClusterForming.LIMIT;
    /** A replica gives up after five seconds. */
    private static final Duration FAILOVER_TRY = Duration.ofMillis(5_500);

    private final String scheme;
    private final ClusterForming forming;
    private final RedisServers all;
    private final Map<RedisServer, FaultProxy> proxies;
    private final List<Detours> detours = new CopyOnWriteArrayList<>();
    /** The nodes that belong to the cluster, and their ids. */
    private final Map<RedisServer, String> members = new ConcurrentHashMap<>();

    /**
     * @param all the nodes of the forming, and the spare ones
     * @param proxies at whose addresses nodes are announced; of no node, or of all
     */
    ServerCluster(ClusterForming forming, RedisServers all, Map<RedisServer, FaultProxy> proxies) {
        this.scheme = all.get(0).scheme();
        this.forming = forming;
        this.all = all;
        this.proxies = Map.copyOf(proxies);
        forming.form();
        takeIn(forming.nodes());
    }

    private void takeIn(List<RedisServer> nodes) {
        nodes.forEach(node -> members.put(node, ClusterForming.idOf(node)));
    }

    /**
     * Starts so many masters, and so many replicas of each.
     *
     * @throws IllegalStateException when a container engine provides the servers
     */
    public static ServerCluster start(int masters, int replicasEach) {
        return builder().masters(masters).replicas(replicasEach).start();
    }

    /** Describes a cluster with settings of its own. */
    public static ServerClusterBuilder builder() {
        return new ServerClusterBuilder();
    }

    /** The slot of a key. */
    public static int slotOf(String key) {
        return HashSlot.of(key);
    }

    /**
     * The address of all nodes as clients take it, such as {@code redis-cluster://127.0.0.1:1,127.0.0.1:2}, or
     * {@code rediss-cluster://} where clients come by TLS; without a password.
     */
    public String url() {
        return url(this::addressOf);
    }

    /** The address with other addresses of the nodes. */
    String url(Function<RedisServer, String> addressOf) {
        return scheme + "-cluster://" + nodes().stream().map(addressOf).collect(Collectors.joining(","));
    }

    /** The address of a node, as {@code host:port}, by which the other nodes and the clients hear of it. */
    public String addressOf(RedisServer node) {
        FaultProxy proxy = proxies.get(node);
        return proxy == null ? node.host() + ":" + node.port() : proxy.host() + ":" + proxy.port();
    }

    /** The nodes of which the cluster was formed, the first masters first; the order never changes. */
    public List<RedisServer> nodes() {
        return forming.nodes();
    }

    /** The nodes that were started beside the cluster, for {@link #meet}; the order never changes. */
    public List<RedisServer> spares() {
        return all.subList(nodes().size(), all.size());
    }

    /** The proxy at whose address a node is announced, where {@link ServerClusterBuilder#announcedByProxies} was called. */
    public FaultProxy proxyOf(RedisServer node) {
        FaultProxy proxy = proxies.get(node);
        if (proxy == null) {
            throw new IllegalArgumentException("node: " + node + " (expected: a node announced by a proxy)");
        }
        return proxy;
    }

    /** The nodes that have slots now. Where the nodes disagree, they are asked as in {@link #masterOf(int)}. */
    public List<RedisServer> masters() {
        Set<String> owners = views().owners().keySet();
        return all.stream()
                .filter(node -> owners.contains(String.valueOf(members.get(node))))
                .toList();
    }

    /** The nodes that follow another one now. */
    public List<RedisServer> replicas() {
        ClusterViews views = views();
        return all.stream()
                .filter(node ->
                        views.masterOf(String.valueOf(members.get(node))).isPresent())
                .toList();
    }

    /**
     * The node that owns a slot now. Where nodes that answer disagree, it is the one of the greatest epoch, as all of them
     * will find in the end.
     *
     * @throws IllegalStateException when no node knows an owner; the message says what each node says
     */
    public RedisServer masterOf(int slot) {
        HashSlot.require(slot);
        ClusterViews views = views();
        return views.owners().entrySet().stream()
                .filter(owner -> owner.getValue().get(slot))
                .flatMap(owner -> nodeOf(owner.getKey()).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(this + ": slot " + slot + " has no owner. " + views));
    }

    /** The node that owns the slot of a key now. */
    public RedisServer masterOf(String key) {
        return masterOf(slotOf(key));
    }

    /** The nodes that follow a node now. */
    public List<RedisServer> replicasOf(RedisServer master) {
        Optional<String> id = Optional.of(idOf(master));
        ClusterViews views = views();
        return all.stream()
                .filter(node ->
                        views.masterOf(String.valueOf(members.get(node))).equals(id))
                .toList();
    }

    /** The first of the nodes that follow a node now. */
    public RedisServer replicaOf(RedisServer master) {
        return replicasOf(master).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(this + ": no node follows " + master + ". " + views()));
    }

    /** The id by which the nodes know a node. */
    public String idOf(RedisServer node) {
        return Optional.ofNullable(members.get(node))
                .orElseThrow(() -> new IllegalArgumentException(
                        "node: " + node + " (expected: one that belongs to " + this + ")"));
    }

    /** A short text for the braces of a key whose slot this node owns now; the same as long as it does. */
    public String tagAt(RedisServer master) {
        BitSet slots = views().owners().getOrDefault(idOf(master), new BitSet());
        if (slots.isEmpty()) {
            throw new IllegalArgumentException("node: " + master + " (expected: one that has slots)");
        }
        return HashSlot.tagOf(slots::get);
    }

    /** Moves a slot with all its keys to another node, and returns when all nodes that answer know. */
    public void moveSlot(int slot, RedisServer target) {
        SlotMove move = beginMove(slot, target);
        move.moveKeys();
        move.finish();
        awaitMaster(slot, target);
    }

    /** Whether its servers move a slot with all its keys at one moment: Valkey does from 9.0 on, and Redis from 8.4 on. */
    public boolean movesWholeSlots() {
        RedisServer node = nodes().get(0);
        return knows(node, "CLUSTER", "GETSLOTMIGRATIONS") || knows(node, "CLUSTER", "MIGRATION", "STATUS", "ALL");
    }

    /**
     * Has a slot moved to another node with all its keys at one moment, and returns when all nodes that answer know.
     *
     * @throws RedisErrorReply if the servers {@linkplain #movesWholeSlots() don't do that}
     */
    public void moveWholeSlot(int slot, RedisServer target) {
        String number = Integer.toString(slot);
        if (knows(target, "CLUSTER", "GETSLOTMIGRATIONS")) {
            command(masterOf(slot), "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", number, number, "NODE", idOf(target));
        } else {
            command(target, "CLUSTER", "MIGRATION", "IMPORT", number, number);
        }
        awaitMaster(slot, target);
    }

    private static boolean knows(RedisServer node, String... question) {
        try {
            command(node, question);
            return true;
        } catch (RedisErrorReply unknown) {
            return false;
        }
    }

    /**
     * Opens a slot, to be moved to another node: its owner and that node know that it is being moved, and the keys are where
     * they were.
     */
    public SlotMove beginMove(int slot, RedisServer target) {
        RedisServer source = masterOf(slot);
        if (source == target) {
            throw new IllegalArgumentException("slot " + slot + ": owned by " + target + " already");
        }
        return SlotMove.begin(this, slot, source, target);
    }

    /**
     * Has a replica take over from its master, which runs and agrees, and waits until all nodes that answer know. No write is
     * lost. Masters vote for the replicas of one master once in two node timeouts, so it may take some seconds more.
     */
    public void failOver(RedisServer replica) {
        BitSet slots = slotsOfMasterOf(replica, "failOver");
        String id = idOf(replica);
        long startNanos = System.nanoTime();
        do {
            command(replica, "CLUSTER", "FAILOVER");
        } while (!BoundedWait.holdsWithin(FAILOVER_TRY, () -> views().areOwned(slots, id))
                && System.nanoTime() - startNanos < LIMIT.toNanos());
        await(replica + " as the master", views -> views.areOwned(slots, id));
    }

    /**
     * Has a replica take over without a vote and without its master's consent, as an administrator does when most masters are
     * gone, and waits until all nodes that answer know. They don't serve their slots before all slots have a master.
     */
    public void takeOver(RedisServer replica) {
        BitSet slots = slotsOfMasterOf(replica, "takeOver");
        String id = idOf(replica);
        command(replica, "CLUSTER", "FAILOVER", "TAKEOVER");
        await(replica + " as the master", views -> views.areOwned(slots, id));
    }

    private BitSet slotsOfMasterOf(RedisServer replica, String operation) {
        ClusterViews views = views();
        return views.masterOf(idOf(replica))
                .map(master -> views.owners().getOrDefault(master, new BitSet()))
                .orElseThrow(() -> new IllegalArgumentException(
                        operation + ": " + replica + " (expected: a node that follows another one). " + views));
    }

    /** Waits until all nodes that answer name this one as the owner of a slot, and serve their slots. */
    public void awaitMaster(int slot, RedisServer master) {
        String id = idOf(master);
        await("slot " + slot + " at " + master, views -> views.serve() && views.areOwned(only(slot), id));
    }

    /**
     * Waits until all nodes that answer name the same owner of a slot, and another one than this, and serve their slots.
     *
     * @return the node that they name
     * @throws IllegalStateException after 60 s; the message says what each node says
     */
    public RedisServer awaitOtherMaster(int slot, RedisServer old) {
        BitSet wanted = only(slot);
        return BoundedWait.found(
                () -> otherOwner(wanted, old),
                LIMIT,
                () -> this + ": slot " + slot + " at another node than " + old + ". " + views());
    }

    private Optional<RedisServer> otherOwner(BitSet slots, RedisServer old) {
        ClusterViews views = views();
        return members.keySet().stream()
                .filter(node -> node != old && views.serve() && views.areOwned(slots, idOf(node)))
                .findFirst();
    }

    private static BitSet only(int slot) {
        BitSet slots = new BitSet();
        slots.set(HashSlot.require(slot));
        return slots;
    }

    /**
     * Waits until all nodes that answer know each other, serve their slots, agree on owners and roles, and follow their
     * masters.
     *
     * @throws IllegalStateException after 60 s; the message says what each node says
     */
    public void awaitSettled() {
        Set<String> ids = Set.copyOf(members.values());
        await("a settled cluster", views -> views.areSettled(ids));
    }

    private void await(String what, Predicate<ClusterViews> condition) {
        BoundedWait.until(() -> condition.test(views()), LIMIT, () -> this + ": " + what + ". " + views());
    }

    /**
     * Has all others forget a node, which no other may follow; it is told nothing, and goes on believing that it belongs to
     * them. For a minute they don't learn of it from each other, only by {@link #meet}.
     */
    public void forget(RedisServer node) {
        String id = idOf(node);
        if (!replicasOf(node).isEmpty()) {
            throw new IllegalArgumentException("forget: " + node + " (expected: a node that no other follows)");
        }
        others(node).forEach(other -> command(other, "CLUSTER", "FORGET", id));
        members.remove(node);
    }

    /** Introduces a node to all others, one that was forgotten or a spare one, and waits until all know each other. */
    public void meet(RedisServer node) {
        if (!all.contains(node)) {
            throw new IllegalArgumentException("meet: " + node + " (expected: a node or a spare one of " + this + ")");
        }
        ClusterForming.meet(node, others(node));
        takeIn(List.of(node));
        Set<String> ids = Set.copyOf(members.values());
        await("all nodes knowing " + node, views -> views.knowEachOther(ids));
    }

    /** Makes a node without slots follow a master, and waits until it has the master's data. */
    public void follow(RedisServer node, RedisServer master) {
        ClusterForming.replicate(node, idOf(master));
        awaitSettled();
    }

    /**
     * Brings the cluster back to how it was when it was handed out: all nodes run, are empty, have their slots, roles and
     * settings, and belong to it. A node that was forgotten, or most of whose slots were moved, makes it be formed anew, in two
     * to three seconds: all nodes have other ids then.
     */
    public void reset() {
        proxies.values().forEach(FaultProxy::heal);
        all.forEach(RedisServer::reset);
        boolean complete = members.keySet().equals(Set.copyOf(nodes()));
        if (!complete || !new ClusterMending(this, forming).succeeds()) {
            spares().forEach(ClusterForming::dissolve);
            forming.formAnew();
            members.clear();
            takeIn(nodes());
        }
    }

    /**
     * Other ways to the nodes, for one client: a {@link FaultProxy} in front of each. They are closed with the cluster, and a
     * reset leaves them as they are.
     */
    public Detours detours() {
        Detours added = Detours.around(this, all);
        detours.add(added);
        return added;
    }

    private Optional<RedisServer> nodeOf(String id) {
        return all.stream().filter(node -> id.equals(members.get(node))).findFirst();
    }

    /** All nodes that belong to the cluster and answer, but this one. */
    List<RedisServer> others(RedisServer node) {
        return all.stream()
                .filter(other -> other != node && members.containsKey(other) && other.isAnswering())
                .toList();
    }

    private ClusterViews views() {
        return ClusterViews.of(all.stream().filter(members::containsKey).toList());
    }

    static void command(RedisServer node, String... words) {
        try (RawRedis connection = node.connect()) {
            connection.command(words);
        }
    }

    /** Ends all proxies and nodes. */
    @Override
    public void close() {
        try {
            detours.forEach(Detours::close);
            proxies.values().forEach(FaultProxy::close);
        } finally {
            all.close();
        }
    }

    @Override
    public String toString() {
        return url();
    }
}
