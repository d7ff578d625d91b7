package io.holdfast.lock.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.figures.SentinelFigures;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What locks cost where Sentinels say who the primary is. Only the number of commands is the same on every machine, so that
 * is what is checked; how long a failover takes is printed.
 */
@Tag("proof")
class SentinelFiguresTest {

    private static final int ROUNDS = 1_000;

    /** They may be there or not, as time goes by: none of them is about a lock. */
    private static final Set<String> UPKEEP = Set.of("PING");

    @Test
    void anUncontendedLockAndUnlockAreTwoCommands() {
        try (SentinelGroup group = SentinelGroup.start();
                LockClient client = LockClient.connect(
                        group.url(), ClientOptions.builder().clientRecord(false).build())) {
            RLock lock = client.getLock("figure");
            lock.lock();
            lock.unlock();
            RedisServer primary = group.primary();
            Set<String> sources = sources(primary);
            List<String> commands;
            try (RedisMonitor monitor = RedisMonitor.of(primary)) {
                for (int round = 0; round < ROUNDS; round++) {
                    lock.lock();
                    lock.unlock();
                }
                commands = monitor.commands().stream()
                        .filter(command -> sources.contains(command.source()))
                        .map(MonitoredCommand::name)
                        .filter(name -> !UPKEEP.contains(name))
                        .toList();
            }
            assertThat(commands).hasSize(2 * ROUNDS).containsOnly("EVALSHA");
        }
    }

    @Test
    void theTimeToTheFirstGrantIsPrinted() throws InterruptedException {
        String table = SentinelFigures.measure(1);
        System.out.println(table);
        assertThat(table).contains("first grant, Holdfast", "first grant, Redisson");
    }

    /** The addresses of the library's connections. */
    private static Set<String> sources(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.clients().stream()
                    .filter(client -> client.getOrDefault("name", "").startsWith("holdfast"))
                    .map(client -> client.get("addr"))
                    .collect(Collectors.toSet());
        }
    }
}
