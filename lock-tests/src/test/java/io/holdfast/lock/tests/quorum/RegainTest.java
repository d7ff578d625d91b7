package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.tests.harness.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hold that was granted by some of the servers regains the others, so that it outlives the loss of any minority. */
@Tag("proof")
class RegainTest extends QuorumTest {

    private static final int CLIENTS = 8;
    private static final Duration CONTENTION = Duration.ofSeconds(10);
    private static final LockOptions WATCHED =
            LockOptions.builder().watchdogLease(Duration.ofMillis(4_500)).build();

    /** Nodes are regained well before two of its periods of 3 s are over, so that a busy machine may be late as well. */
    private static final LockOptions CONTENDED =
            LockOptions.builder().watchdogLease(Duration.ofSeconds(9)).build();

    /** What is promised. */
    private static final Duration TWO_PERIODS =
            CONTENDED.watchdogLease().multipliedBy(2).dividedBy(3);

    @Test
    void underContentionEveryHoldComesToBeEverywhere() throws Exception {
        List<LockClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(warm(connectQuorum()));
        }
        long endNanos = System.nanoTime() + CONTENTION.toNanos();
        List<Background<Boolean>> workers = clients.stream()
                .map(client -> Background.run(() -> {
                    while (System.nanoTime() - endNanos < 0) {
                        holdUntilEverywhere(client, endNanos);
                    }
                }))
                .toList();
        for (Background<Boolean> worker : workers) {
            worker.result(Duration.ofSeconds(60));
        }
        awaitNothingLeft();
    }

    private void holdUntilEverywhere(LockClient client, long endNanos) throws Exception {
        try (LockHold hold = client.getLock(NAME, CONTENDED)
                .tryAcquire(Duration.ofSeconds(50))
                .orElseThrow()) {
            if (System.nanoTime() - endNanos < 0) {
                eventually(TWO_PERIODS, () -> assertThat(keepers(servers.stream(), NAME))
                        .isEqualTo(5));
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
            }
        }
    }

    @Test
    void aServerThatWasAwayJoinsWithTheCountOfNow() throws Exception {
        List<FaultProxy> proxies = proxies();
        LockClient client = warm(connectQuorum(urlsOf(proxies), PATIENT));
        RLock lock = client.getLock(NAME, WATCHED);
        proxies.get(4).swallowRequests();
        proxies.get(4).refuse();
        assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.tryLock()).isTrue();
        awaitKeepers(4);

        proxies.get(4).heal();
        awaitKeepers(5);
        eventually(() ->
                assertThat(raws.get(4).list("HVALS", "holdfast:{" + NAME + "}")).contains("2"));
        awaitItsRenewals(4, 2);

        servers.get(0).kill();
        servers.get(1).kill();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        awaitNothingLeft();
    }

    /** A node that has joined counts when the others have been asked once more; a period later that has long been answered. */
    private void awaitItsRenewals(int node, int renewals) {
        long before = raws.get(node).calls("evalsha");
        eventually(() -> assertThat(raws.get(node).calls("evalsha")).isGreaterThanOrEqualTo(before + renewals));
    }
}
