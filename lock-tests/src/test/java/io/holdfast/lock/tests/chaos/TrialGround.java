package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.ServerCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Servers of one kind, and the faults that a trial on them plays in this order. */
enum TrialGround {
    ONE("one server") {
        @Override
        Site open(Stage stage, int slot) {
            RedisServer server = stage.server();
            FaultProxy proxy = stage.proxy(server);
            return new Site(
                    List.of(proxy.url()),
                    List.of(
                            TrialFault.outage(
                                    "kill -9, restart without data",
                                    true,
                                    () -> {
                                        server.kill();
                                        stage.during(300);
                                        server.restart();
                                    },
                                    () -> {}),
                            TrialFault.outage(
                                    "server stopped past the lease",
                                    false,
                                    () -> {
                                        server.pause();
                                        stage.during(PAST_A_LEASE);
                                        server.resume();
                                    },
                                    () -> {}),
                            TrialFault.outage("replies swallowed", false, () -> swallow(stage, proxy), () -> {}),
                            TrialFault.trouble("connections cut", proxy::cutAll),
                            TrialFault.frozenClient(stage),
                            TrialFault.trouble("SCRIPT FLUSH", () -> {
                                try (RawRedis raw = server.connect()) {
                                    raw.command("SCRIPT", "FLUSH");
                                }
                            })));
        }
    },

    SENTINEL("Sentinel") {
        @Override
        Site open(Stage stage, int slot) {
            SentinelGroup group = stage.sentinels();
            RedisServer[] old = new RedisServer[1];
            return new Site(
                    List.of(group.url()),
                    List.of(
                            TrialFault.outage(
                                    "kill -9 of a primary ahead of its replicas",
                                    true,
                                    () -> {
                                        old[0] = group.primary();
                                        List<RedisServer> replicas = group.replicas();
                                        replicas.forEach(replica -> configure(replica, "masterauth", "wrong"));
                                        try (RawRedis raw = old[0].connect()) {
                                            raw.command("CLIENT", "KILL", "TYPE", "replica");
                                        }
                                        stage.during(A_LONG_HOLD);
                                        old[0].kill();
                                        group.awaitOtherPrimary(old[0]);
                                        replicas.forEach(replica -> configure(replica, "masterauth", ""));
                                    },
                                    () -> {
                                        old[0].restart();
                                        group.awaitSettled();
                                    }),
                            TrialFault.outage(
                                    "primary stopped, continued after the failover",
                                    true,
                                    () -> {
                                        old[0] = group.primary();
                                        old[0].pause();
                                        group.awaitOtherPrimary(old[0]);
                                        old[0].resume();
                                    },
                                    group::awaitSettled),
                            TrialFault.outage("SENTINEL FAILOVER", true, group::failOver, group::awaitSettled),
                            TrialFault.frozenClient(stage),
                            TrialFault.outage(
                                    "kill -9 of the primary",
                                    true,
                                    () -> {
                                        old[0] = group.primary();
                                        old[0].kill();
                                        group.awaitOtherPrimary(old[0]);
                                    },
                                    () -> {
                                        old[0].restart();
                                        group.awaitSettled();
                                    })));
        }
    },

    CLUSTER("Cluster") {
        @Override
        Site open(Stage stage, int slot) {
            ServerCluster cluster = stage.cluster();
            List<TrialFault> faults = new ArrayList<>();
            for (ClusterRows.Replacing kind : ClusterRows.Replacing.values()) {
                RedisServer[] old = new RedisServer[1];
                faults.add(TrialFault.outage(
                        kind.command + " of the slot's primary",
                        true,
                        () -> {
                            old[0] = cluster.masterOf(slot);
                            kind.strike(cluster, old[0]);
                            cluster.awaitOtherMaster(slot, old[0]);
                        },
                        () -> {
                            kind.bringBack(old[0]);
                            cluster.awaitSettled();
                        }));
            }
            faults.add(TrialFault.trouble(
                    "the slot moves", () -> cluster.moveSlot(slot, ClusterRows.otherThan(cluster, slot))));
            faults.add(TrialFault.frozenClient(stage));
            return new Site(List.of(cluster.url()), faults);
        }
    },

    QUORUM("RedLock of five") {
        @Override
        Site open(Stage stage, int slot) {
            List<RedisServer> servers =
                    Stream.generate(stage::server).limit(NODES).toList();
            List<FaultProxy> proxies = servers.stream().map(stage::proxy).toList();
            return new Site(
                    proxies.stream().map(FaultProxy::url).toList(),
                    List.of(
                            TrialFault.trouble("kill -9 of one, restart without data", () -> {
                                servers.get(0).kill();
                                stage.during(A_WHILE);
                                servers.get(0).restart();
                            }),
                            TrialFault.outage(
                                    "three stopped past the lease",
                                    false,
                                    () -> {
                                        List<RedisServer> three = servers.subList(2, NODES);
                                        three.forEach(RedisServer::pause);
                                        stage.during(PAST_A_LEASE);
                                        three.forEach(RedisServer::resume);
                                    },
                                    () -> {}),
                            TrialFault.trouble("one stopped", () -> {
                                servers.get(1).pause();
                                stage.during(A_WHILE);
                                servers.get(1).resume();
                            }),
                            TrialFault.trouble("replies of one swallowed", () -> swallow(stage, proxies.get(1))),
                            TrialFault.frozenClient(stage),
                            TrialFault.trouble("all connections cut", () -> proxies.forEach(FaultProxy::cutAll))));
        }
    };

    private static final int NODES = 5;
    private static final Duration PAST_A_LEASE = Trial.LEASE.plusSeconds(1);
    private static final Duration A_LONG_HOLD = Duration.ofMillis(Trial.LONG_MILLIS);
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    final String words;

    TrialGround(String words) {
        this.words = words;
    }

    /** @param slot where the locks are in a cluster */
    abstract Site open(Stage stage, int slot);

    /** Servers that were started. */
    record Site(List<String> addresses, List<TrialFault> faults) {
        String[] urls() {
            return addresses.toArray(String[]::new);
        }
    }

    private static void swallow(Stage stage, FaultProxy proxy) throws InterruptedException {
        proxy.swallowReplies();
        stage.during(A_WHILE);
        proxy.cutAll();
        proxy.heal();
    }

    private static void configure(RedisServer server, String name, String value) {
        try (RawRedis raw = server.connect()) {
            raw.command("CONFIG", "SET", name, value);
        }
    }
}
