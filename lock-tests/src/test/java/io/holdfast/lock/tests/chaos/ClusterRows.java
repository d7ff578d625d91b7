package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.history.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Rows 14 to 19: slots of a cluster move, and its primaries are replaced. */
final class ClusterRows {

    /** Of the watchdog: longer than a failover takes. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    /** A release that no replica has heard of may keep a lock for the rest of its lease. */
    private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(8);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    /** By a message: a waiter that is not woken looks by itself after 4.5 s at the earliest. */
    private static final Duration WOKEN = Duration.ofSeconds(3);

    private static final LockOptions REDISSON =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    private ClusterRows() {}

    // --- 14 to 17: a slot moves ---

    static void moved(Stage stage) throws Exception {
        ServerCluster cluster = stage.cluster();
        PlayedLoad load = stage.load(stage.plan(cluster.url()).watchdog(LEASE));
        int slot = slotOf("job");
        for (int round = 0; round < stage.rounds(2, 6); round++) {
            load.awaitGrants(10);
            stage.trouble("the slot moves", () -> {
                SlotMove move = cluster.beginMove(slot, otherThan(cluster, slot));
                load.awaitGrants(10);
                move.moveKeys();
                load.awaitGrants(10);
                move.finish();
            });
            load.awaitGrants(10);
        }
        load.stop();
        stage.bite(errors(cluster, "MOVED"), "times MOVED");
        stage.bite(errors(cluster, "ASK"), "times ASK");
        List<Seen.Answered> failed = stage.journal.all(Seen.Answered.class).stream()
                .filter(answer -> answer.outcome() == Outcome.FAIL || answer.outcome() == Outcome.UNKNOWN)
                .toList();
        stage.expect(failed.isEmpty(), "ERR", "calls have failed: " + failed);
    }

    /** The lock that is held, and the token clock, are at the target, and the locks of the load where their calls put them. */
    static void triedAgain(Stage stage) throws Exception {
        ServerCluster cluster = stage.cluster();
        List<String> names = namesOfOneSlot(3);
        int slot = slotOf(names.get(0));
        PlayedLoad load = stage.load(
                stage.plan(cluster.url()).on(names.get(0), names.get(1)).watchdog(SHORT_LEASE));
        Actor owner = stage.actor("owner", stage.client(cluster.url()), Clients.watchdog(SHORT_LEASE));
        Actor other = stage.actor("other", stage.client(cluster.url()), Clients.watchdog(SHORT_LEASE));
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(10);
            Actor.Held held = ServerRows.granted(owner, names.get(2));
            stage.trouble("a move of two leases", () -> {
                SlotMove move = cluster.beginMove(slot, otherThan(cluster, slot));
                move.keysLeft().stream().filter(key -> key.contains(":token:")).forEach(move::moveKey);
                move.moveKey(Stored.key(names.get(2)));
                long end = System.nanoTime() + SHORT_LEASE.multipliedBy(2).toNanos();
                while (System.nanoTime() - end < 0) {
                    stage.expect(held.look(), "LV", "a hold was lost in the move");
                    stage.expect(
                            other.tryLock(names.get(2), Duration.ofMillis(100)) == null,
                            "ME",
                            "a second owner was let in");
                }
                load.awaitGrants(10);
                held.release();
                Actor.Held next = ServerRows.granted(other, names.get(2));
                stage.expect(next.token > held.token, "FM", "token " + next.token + " after " + held.token);
                next.release();
                move.moveKeys();
                move.finish();
            });
        }
        load.awaitGrants(10);
        stage.bite(
                errors(cluster, "TRYAGAIN"),
                "times TRYAGAIN in moves of two leases; locks were taken, kept and released");
    }

    /** A lock whose keys were in two slots would be refused by any node. */
    static void braces(Stage stage) throws Exception {
        ServerCluster cluster = stage.cluster();
        PlayedLoad load = stage.load(
                stage.plan(cluster.url()).on("a}b", "{a}b", "{}a", "a{").watchdog(LEASE));
        load.awaitGrants(10);
        Actor owner = stage.actor("owner", stage.client(cluster.url()));
        LockClient shared = stage.client(cluster.url());
        int[] taken = new int[1];
        int[] refused = new int[1];
        stage.trouble("names with braces", () -> {
            for (int i = 0; i < stage.rounds(50, 300); i++) {
                String name = anyName(stage);
                ServerRows.granted(owner, name).release();
                taken[0]++;
                try (LockHold hold = shared.getLock(name, REDISSON).acquire()) {
                    taken[0]++;
                    stage.expect(hold.name().equals(name), "ERR", hold.name() + " (expected: " + name + ")");
                } catch (IllegalArgumentException upFront) {
                    refused[0]++;
                }
            }
        });
        stage.bite(taken[0], "times a name with braces was taken");
        stage.bite(refused[0], "times it was refused before a call was made");
        load.awaitGrants(10);
    }

    private static String anyName(Stage stage) {
        StringBuilder name = new StringBuilder();
        int length = 1 + stage.random.nextInt(8);
        for (int i = 0; i < length; i++) {
            name.append("{}ab%".charAt(stage.random.nextInt(5)));
        }
        return name.toString();
    }

    static void movedAway(Stage stage) throws Exception {
        ServerCluster cluster = stage.cluster();
        PlayedLoad load = stage.load(stage.plan(cluster.url()).watchdog(LEASE));
        LockClient holder = stage.client(cluster.url());
        LockClient waiting = stage.client(cluster.url());
        int slot = slotOf("mine");
        for (int round = 0; round < stage.rounds(3, 10); round++) {
            load.awaitGrants(5);
            LockHold hold = holder.getLock("mine").acquire();
            RFuture<LockHold> waiter = waiting.getLock("mine").acquireAsync();
            RedisServer source = cluster.masterOf(slot);
            stage.await("the waiter subscribes", () -> subscribers(source) == 1);
            stage.trouble("the slot moves away", () -> {
                RedisServer target = otherThan(cluster, slot);
                cluster.moveSlot(slot, target);
                stage.await("the subscription ends", () -> subscribers(source) == 0);
                stage.await("the waiter subscribes again", () -> subscribers(target) == 1);
                long freed = System.nanoTime();
                hold.close();
                waiter.get(WOKEN.toMillis(), TimeUnit.MILLISECONDS).close();
                stage.bite(
                        1,
                        "subscription ended: the waiter was woken " + Stage.millisSince(freed)
                                + " ms after the release at the new primary");
            });
        }
        load.awaitGrants(5);
    }

    private static long subscribers(RedisServer node) {
        try (RawRedis raw = node.connect()) {
            return Stored.shardSubscribers(raw, "mine");
        }
    }

    // --- 18 and 19: a primary is replaced ---

    enum Replacing {
        KILL("kill -9", true) {
            @Override
            void strike(ServerCluster cluster, RedisServer old) {
                old.kill();
            }

            @Override
            void bringBack(RedisServer old) {
                old.restart();
            }
        },
        STOP("SIGSTOP", true) {
            @Override
            void strike(ServerCluster cluster, RedisServer old) {
                old.pause();
            }

            @Override
            void bringBack(RedisServer old) {
                old.resume();
            }
        },
        FAIL_OVER("CLUSTER FAILOVER", false) {
            @Override
            void strike(ServerCluster cluster, RedisServer old) {
                cluster.failOver(cluster.replicaOf(old));
            }
        },
        TAKE_OVER("TAKEOVER", false) {
            @Override
            void strike(ServerCluster cluster, RedisServer old) {
                cluster.takeOver(cluster.replicaOf(old));
            }
        };

        final String command;
        /** Whether the slots are served by no node for a while. */
        final boolean isOutage;

        Replacing(String command, boolean isOutage) {
            this.command = command;
            this.isOutage = isOutage;
        }

        abstract void strike(ServerCluster cluster, RedisServer old);

        void bringBack(RedisServer old) {}
    }

    static void replaced(Stage stage) throws Exception {
        ServerCluster cluster = stage.cluster();
        List<String> names = oneOfEach(cluster);
        String[] all = names.toArray(String[]::new);
        PlayedLoad load =
                stage.load(stage.plan(cluster.url()).on(all).watchdog(LEASE).waiting(LONGER_THAN_A_LEASE));
        Actor bystander = stage.actor("bystander", stage.client(cluster.url()));
        for (int round = 0; round < stage.rounds(1, 2); round++) {
            List<Replacing> kinds = new ArrayList<>(List.of(Replacing.values()));
            Collections.shuffle(kinds, stage.random);
            for (Replacing kind : kinds) {
                load.awaitGrants(20);
                String name = names.get(stage.random.nextInt(all.length));
                int slot = slotOf(name);
                RedisServer old = cluster.masterOf(slot);
                long before = System.nanoTime();
                stage.fault(kind.command, () -> {
                    kind.strike(cluster, old);
                    for (String other : names) {
                        if (!other.equals(name)) {
                            ServerRows.granted(bystander, other).release();
                        }
                    }
                    boolean wasMeanwhile = !kind.isOutage || cluster.masterOf(slot) == old;
                    stage.expect(wasMeanwhile, "LV", "locks of other primaries were granted only after a failover");
                    cluster.awaitOtherMaster(slot, old);
                });
                stage.bite(1, kind.command + ": another primary after " + Stage.millisSince(before) + " ms");
                stage.forgot(before, name);
                load.awaitGrants(20);
                kind.bringBack(old);
                cluster.awaitSettled();
                load.awaitGrants(20);
            }
        }
    }

    /** The replica may not take over at first, so that all nodes refuse calls for as long as the row needs it. */
    static void down(Stage stage) throws Exception {
        ServerCluster cluster = stage.cluster();
        List<String> names = oneOfEach(cluster);
        String lost = names.get(0);
        String whole = names.get(1);
        PlayedLoad load =
                stage.load(stage.plan(cluster.url()).on(whole).watchdog(LEASE).waiting(LONGER_THAN_A_LEASE));
        LockClient client = stage.client(cluster.url());
        client.getLock(whole).acquire().close();
        Actor waiter = stage.actor("waiter", client);
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(10);
            int slot = slotOf(lost);
            RedisServer old = cluster.masterOf(slot);
            RedisServer replica = cluster.replicaOf(old);
            long[] back = new long[1];
            stage.fault("CLUSTERDOWN", () -> {
                configure(replica, "yes");
                old.kill();
                stage.await("the nodes refuse calls", () -> isDown(cluster.masterOf(slotOf(whole))));
                Background<Actor.Held> waiting = Background.call(() -> ServerRows.granted(waiter, whole));
                FailureReason reason = AnswerRows.reasonOf(client, whole);
                stage.expect(reason == FailureReason.CLUSTERDOWN, "ERR", "expected CLUSTERDOWN: " + reason);
                stage.expect(!waiting.isDone(), "LV", "the call did not wait for the cluster");
                configure(replica, "no");
                cluster.awaitOtherMaster(slot, old);
                back[0] = System.nanoTime();
                waiting.result(LONGER_THAN_A_LEASE).release();
                stage.note("a waiting call had the lock " + Stage.millisSince(back[0])
                        + " ms after the nodes served again");
            });
            load.awaitGrants(10);
            old.restart();
            cluster.awaitSettled();
        }
        stage.bite(
                errors(cluster, "CLUSTERDOWN"), "times CLUSTERDOWN; calls were repeated until the nodes served again");
    }

    private static void configure(RedisServer replica, String noFailover) {
        try (RawRedis raw = replica.connect()) {
            raw.command("CONFIG", "SET", "cluster-replica-no-failover", noFailover);
        }
    }

    private static boolean isDown(RedisServer node) {
        try (RawRedis raw = node.connect()) {
            return String.valueOf(raw.text("CLUSTER", "INFO")).contains("cluster_state:fail");
        }
    }

    // --- names, slots and nodes ---

    static int slotOf(String name) {
        return ServerCluster.slotOf(Stored.key(name));
    }

    static List<String> namesOfOneSlot(int count) {
        int slot = slotOf("lock-0");
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "lock-" + i)
                .filter(name -> slotOf(name) == slot)
                .limit(count)
                .toList();
    }

    private static List<String> oneOfEach(ServerCluster cluster) {
        List<RedisServer> seen = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; seen.size() < cluster.masters().size(); i++) {
            RedisServer master = cluster.masterOf(slotOf("each-" + i));
            if (!seen.contains(master)) {
                seen.add(master);
                names.add("each-" + i);
            }
        }
        return names;
    }

    static RedisServer otherThan(ServerCluster cluster, int slot) {
        RedisServer master = cluster.masterOf(slot);
        return cluster.masters().stream()
                .filter(other -> other != master)
                .findFirst()
                .orElseThrow();
    }

    /** How often the nodes that live have answered with this error. */
    private static long errors(ServerCluster cluster, String error) {
        return cluster.nodes().stream()
                .filter(RedisServer::isAlive)
                .mapToLong(node -> {
                    try (RawRedis raw = node.connect()) {
                        return AnswerRows.errors(raw, error);
                    }
                })
                .sum();
    }
}
