package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionEvent.Change;
import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.support.LibraryLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which connections to nodes there are, what is shown of each, and when one ends. */
@Tag("proof")
class NodeConnectionsTest extends ClusterTest {

    /** A connection with nothing to do is ended after sixty of them. */
    private static final Duration HEARTBEAT = Duration.ofMillis(50);

    private static ClientOptions.Builder soonIdle() {
        return patient().heartbeat(HEARTBEAT);
    }

    /** The name of a lock whose slot this master has. */
    private String nameAt(RedisServer master) {
        for (int i = 0; ; i++) {
            if (cluster.masterOf(slotOf("at-" + i)) == master) {
                return "at-" + i;
            }
        }
    }

    private List<ConnectionInfo> connections(LockClient client, RedisServer node) {
        return client.connections().stream()
                .filter(connection -> connection.node().equals(cluster.addressOf(node)))
                .toList();
    }

    private static void use(LockClient client, String name) throws InterruptedException {
        client.getLock(name).acquire().close();
    }

    @Test
    void aConnectionWithNothingToDoIsEndedAndTheNextCallHasAnotherOne() throws Exception {
        List<ConnectionEvent> events = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void connection(ConnectionEvent event) {
                events.add(event);
            }
        };
        try (LibraryLog log = new LibraryLog()) {
            LockClient client = connect(soonIdle()
                    .lockOptions(LockOptions.builder().listener(listener).build())
                    .build());
            for (int round = 0; round < 2; round++) {
                for (RedisServer master : cluster.masters()) {
                    use(client, nameAt(master));
                }
                assertThat(client.connections())
                        .as("connections in use")
                        .hasSizeGreaterThanOrEqualTo(1)
                        .anyMatch(ConnectionInfo::up);
                eventually(() -> assertThat(client.connections()).isEmpty());
            }
            eventually(() -> assertThat(events)
                    .filteredOn(event -> event.change() == Change.DOWN)
                    .hasSize(6)
                    .allSatisfy(event -> {
                        assertThat(event.failureReason()).contains(FailureReason.CLIENT_CLOSED);
                        assertThat(event.detail())
                                .hasValueSatisfying(why -> assertThat(why).contains("nothing was to be done"));
                    }));
            assertThat(log.everything()).noneMatch(line -> line.startsWith("WARN"));
        }
    }

    /** The hold was taken before the others were used, and its next renewal is further away than its connection may be idle. */
    @Test
    void aHoldKeepsTheConnectionToItsNode() throws Exception {
        LockClient client = connect(soonIdle().build());
        List<RedisServer> masters = cluster.masters();
        LockHold watched = client.getLock(nameAt(masters.get(0))).acquire();
        LockHold leased = client.getLock(nameAt(masters.get(1)))
                .withLease(Duration.ofMinutes(1))
                .acquire();
        use(client, nameAt(masters.get(2)));
        eventually(() -> assertThat(connections(client, masters.get(2))).isEmpty());
        for (LockHold hold : List.of(watched, leased)) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(connections(client, cluster.masterOf(slotOf(hold.name()))))
                    .anyMatch(ConnectionInfo::up);
            hold.close();
        }
        eventually(() -> assertThat(client.connections()).isEmpty());
    }

    @Test
    void aWaitingCallKeepsBothConnectionsToItsNode() throws Exception {
        LockClient holder = connect();
        LockClient client = connect(soonIdle().build());
        List<RedisServer> masters = cluster.masters();
        String name = nameAt(masters.get(0));
        LockHold hold = holder.getLock(name).acquire();
        Background<LockHold> waiter =
                Background.call(() -> client.getLock(name).acquire()).awaitParked();
        eventually(() -> assertThat(holder.inspect(name).subscribedProcesses()).isEqualTo(1));
        use(client, nameAt(masters.get(1)));
        eventually(() -> assertThat(connections(client, masters.get(1))).isEmpty());
        assertThat(connections(client, masters.get(0)))
                .filteredOn(ConnectionInfo::up)
                .extracting(ConnectionInfo::purpose)
                .containsExactlyInAnyOrder(ConnectionPurpose.COMMANDS, ConnectionPurpose.MESSAGES);
        hold.close();
        LockHold granted = waiter.result();
        eventually(() -> assertThat(connections(client, masters.get(0)))
                .extracting(ConnectionInfo::purpose)
                .containsExactly(ConnectionPurpose.COMMANDS));
        granted.close();
        eventually(() -> assertThat(client.connections()).isEmpty());
    }

    @Test
    void callsThatWaitAreShownAtTheirOwnNode() throws Exception {
        LockClient client = connect();
        RedisServer stopped = cluster.masters().get(0);
        RedisServer other = cluster.masters().get(1);
        use(client, nameAt(other));
        List<RFuture<Boolean>> waiting = new ArrayList<>();
        stopped.pause();
        try {
            for (int i = 0; i < 5; i++) {
                waiting.add(client.getLock(nameAt(stopped)).tryLockAsync());
            }
            eventually(() -> assertThat(connections(client, stopped))
                    .extracting(ConnectionInfo::queued)
                    .containsExactly(5));
            assertThat(connections(client, other))
                    .extracting(ConnectionInfo::queued)
                    .containsExactly(0);
        } finally {
            stopped.resume();
        }
        for (RFuture<Boolean> call : waiting) {
            call.handle((done, failure) -> true).toCompletableFuture().join();
        }
        client.getLock(nameAt(stopped)).forceUnlock();
    }

    /** What is left in the socket of an earlier connection must not be executed after what comes by the next one (rule 5). */
    @Test
    void aPrimaryThatIsBackHasTheEarlierConnectionKilled() throws Exception {
        LockClient client = connect();
        RedisServer first = cluster.masters().get(0);
        String name = nameAt(first);
        int slot = slotOf(name);
        use(client, name);
        RedisServer replica = cluster.replicaOf(first);
        cluster.failOver(replica);
        cluster.awaitMaster(slot, replica);
        eventually(() -> {
            use(client, name);
            assertThat(connections(client, first)).isEmpty();
        });
        long killsBefore = kills(first);
        cluster.failOver(first);
        cluster.awaitMaster(slot, first);
        eventually(() -> {
            use(client, name);
            assertThat(connections(client, first)).anyMatch(ConnectionInfo::up);
        });
        assertThat(kills(first)).isGreaterThan(killsBefore);
    }

    private static long kills(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.info("commandstats").entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith("cmdstat_client"))
                    .filter(entry ->
                            entry.getKey().endsWith("kill") || entry.getKey().equals("cmdstat_client"))
                    .mapToLong(entry -> Long.parseLong(
                            entry.getValue().replaceFirst("calls=", "").split(",", 2)[0]))
                    .sum();
        }
    }
}
