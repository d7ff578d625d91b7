package io.holdfast.lock.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.figures.FigureTable;
import io.holdfast.lock.tests.support.Site;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whichever way leads to the server, a lock and its unlock are two commands. Behind Sentinels that is in {@link
 * SentinelFiguresTest}, and of a plain connection in {@link FiguresTest}.
 */
class CommandFiguresTest {

    private static final int ROUNDS = 20;

    /** They may be there or not, as time goes by: none of them is about a lock, and the last one is a replica's. */
    private static final Set<String> UPKEEP = Set.of("PING", "INFO", "ROLE", "CLUSTER", "REPLCONF");

    private static final FigureTable TABLE = new FigureTable("way to the server", "commands, lock + unlock", "bound");

    @AfterAll
    static void print() {
        System.out.println(TABLE);
    }

    @ParameterizedTest
    @EnumSource(names = {"SOCKET", "NARROW", "RESP2"})
    void aLockAndItsUnlockAreTwoCommands(Site.Kind kind) {
        try (RedisServer server = RedisServer.start()) {
            assertTwoCommands(kind, server, kind.name().toLowerCase(Locale.ROOT));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "MUTUAL"})
    void aLockAndItsUnlockAreTwoCommandsByTls(TlsMode mode) {
        try (RedisServer server = RedisServer.builder().tls(mode).start()) {
            assertTwoCommands(Site.Kind.SECURED, server, "TLS, " + mode.name().toLowerCase(Locale.ROOT));
        }
    }

    @Tag("proof")
    @Test
    void aLockAndItsUnlockAreTwoCommandsInAClusterOfOneNode() {
        try (RedisServer server = RedisServer.builder().mode(ServerMode.CLUSTER).start()) {
            assertTwoCommands(Site.Kind.SINGLE, server, "cluster of one node");
        }
    }

    @Tag("proof")
    @Test
    void aLockAndItsUnlockAreTwoCommandsInAClusterOfThreePrimaries() {
        try (ServerCluster cluster = ServerCluster.start(3, 0);
                LockClient client = LockClient.connect(
                        cluster.url(),
                        ClientOptions.builder().clientRecord(false).build())) {
            List<RLock> spread = IntStream.range(0, ROUNDS)
                    .mapToObj(number -> client.getLock("figure-" + number))
                    .toList();
            assertTwoCommands(spread, cluster.nodes(), "cluster of three primaries");
        }
    }

    @Test
    void aLockAndItsUnlockAreTwoCommandsAtAPrimaryWithReplicas() {
        try (ReplicatedPair pair = ReplicatedPair.start();
                LockClient client = LockClient.connect(
                        pair.url(), ClientOptions.builder().clientRecord(false).build())) {
            assertTwoCommands(client.getLock("figure"), pair.primary(), "replicas");
        }
    }

    private static void assertTwoCommands(Site.Kind kind, RedisServer server, String name) {
        ClientOptions options = ClientOptions.builder().clientRecord(false).build();
        try (Site site = kind.connect(List.of(server), options)) {
            assertTwoCommands(site.lock("figure", options.lockOptions()), server, name);
        }
    }

    private static void assertTwoCommands(RLock lock, RedisServer server, String name) {
        assertTwoCommands(Collections.nCopies(ROUNDS, lock), List.of(server), name);
    }

    private static void assertTwoCommands(List<RLock> locks, List<RedisServer> servers, String name) {
        locks.forEach(CommandFiguresTest::lockAndUnlock);
        List<RedisMonitor> monitors = servers.stream().map(RedisMonitor::of).toList();
        List<String> commands;
        try {
            locks.forEach(CommandFiguresTest::lockAndUnlock);
            commands = monitors.stream()
                    .flatMap(monitor -> monitor.commands().stream())
                    .map(MonitoredCommand::name)
                    .filter(command -> !UPKEEP.contains(command))
                    .toList();
        } finally {
            monitors.forEach(RedisMonitor::close);
        }
        TABLE.row(name, Double.toString((double) commands.size() / ROUNDS), "2");
        assertThat(commands).hasSize(2 * ROUNDS).containsOnly("EVALSHA");
    }

    private static void lockAndUnlock(RLock lock) {
        lock.lock();
        lock.unlock();
    }
}
