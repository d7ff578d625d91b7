package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Row 45: two of three servers forget a lock that is held, and are back within its lease. They would be a majority; what
 * they remember in its place, a marker that another client has set or that a snapshot brought back, must not vouch for them.
 */
@Tag("proof")
@RedisTest(servers = 3, freshPerTest = true)
class RestartedFleetTest extends QuorumTest {

    private static final String OTHER = "other:1";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** The holder's ways to the servers. */
    private List<FaultProxy> holders;

    @Test
    void aMarkerOfAnotherClientVouchesForNothing() throws Exception {
        List<FaultProxy> proxies = proxies();
        LockClient before = warm(connectQuorum(urlsOf(proxies), PATIENT));
        LockHold hold = holdAndCutOff(PATIENT, LEASE);
        cutOff(proxies);
        crash(0, 1);
        connectQuorum().getLock(OTHER).withLease(SHORT).acquire().close();
        eventually(() -> assertThat(markers()).doesNotContainNull());

        proxies.forEach(FaultProxy::heal);

        awaitRefusalAfterARestart(before);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        letTheHolderKnow(hold);
    }

    @Test
    void aMarkerInASnapshotVouchesForNothing() throws Exception {
        LockClient before = warm(connectQuorum());
        eventually(() -> assertThat(markers()).doesNotContainNull());
        servers.forEach(RestartedFleetTest::save);
        LockHold hold = holdAndCutOff(PATIENT, LEASE);
        crash(0, 1);
        assertThat(markers()).doesNotContainNull();
        assertThat(keepers(servers.stream(), NAME)).isOne();

        awaitRefusalAfterARestart(before);
        awaitRefusalAfterARestart(connectQuorum());
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        letTheHolderKnow(hold);
    }

    @Test
    @Tag("proof")
    void oneOldServerKeepsLaterClientsOut() throws Exception {
        QuorumOptions brief = PATIENT.toBuilder().longestLease(SHORT).build();
        long startNanos = System.nanoTime();
        await().until(() -> System.nanoTime() - startNanos
                > SHORT.plus(SHORT).plusSeconds(1).toNanos());
        LockHold hold = holdAndCutOff(brief, SHORT);
        crash(0, 1);
        LockClient later = connectQuorum(urls(), brief);

        assertThatThrownBy(() -> later.getLock(NAME).tryAcquire(Duration.ZERO))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("left out after a restart that may have lost its data");
        assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
    }

    /** A hold whose owner never hears that servers have forgotten it. */
    private LockHold holdAndCutOff(QuorumOptions quorum, Duration lease) throws InterruptedException {
        holders = proxies();
        LockHold hold = warm(connectQuorum(urlsOf(holders), quorum))
                .getLock(NAME)
                .withLease(lease)
                .acquire();
        awaitKeepers(3);
        cutOff(holders);
        return hold;
    }

    private void letTheHolderKnow(LockHold hold) {
        holders.forEach(FaultProxy::heal);
        await().until(() -> hold.state() == HoldState.LOST);
    }

    private static void cutOff(List<FaultProxy> proxies) {
        proxies.forEach(proxy -> {
            proxy.refuse();
            proxy.cutAll();
        });
    }

    private void crash(int... indices) {
        for (int index : indices) {
            servers.get(index).kill();
        }
        for (int index : indices) {
            servers.get(index).restart();
        }
    }

    private static void save(RedisServer server) {
        try (RawRedis connection = server.connect()) {
            connection.command("SAVE");
        }
    }

    private List<String> markers() {
        return servers.stream()
                .map(server -> {
                    try (RawRedis connection = server.connect()) {
                        return (String) connection.command("GET", "holdfast:marker");
                    }
                })
                .toList();
    }

    /** The client is told of the restarts, as soon as both servers are there again. */
    private static void awaitRefusalAfterARestart(LockClient client) {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThatThrownBy(
                        () -> client.getLock(NAME).tryAcquire(Duration.ZERO))
                .isInstanceOf(LockUnavailableException.class)
                .message()
                .matches("(?s).*left out after a restart.*left out after a restart.*"));
    }
}
