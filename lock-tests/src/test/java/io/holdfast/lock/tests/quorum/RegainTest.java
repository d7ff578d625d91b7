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
import org.junit.jupiter.api.Test;

/** A hold that was granted by some of the servers regains the others, so that it outlives the loss of any minority. */
class RegainTest extends QuorumTest {

    private static final int CLIENTS = 8;
    private static final Duration CONTENTION = Duration.ofSeconds(10);
    private static final LockOptions WATCHED =
            LockOptions.builder().watchdogLease(Duration.ofMillis(4_500)).build();
    private static final Duration TWO_PERIODS =
            WATCHED.watchdogLease().multipliedBy(2).dividedBy(3);

    /** What a busy machine may add, to periods of 1.5 s. */
    private static final Duration SLACK = Duration.ofSeconds(2);

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
                        holdUntilEverywhere(client);
                    }
                }))
                .toList();
        for (Background<Boolean> worker : workers) {
            worker.result(Duration.ofSeconds(60));
        }
        awaitNothingLeft();
    }

    private void holdUntilEverywhere(LockClient client) throws Exception {
        try (LockHold hold =
                client.getLock(NAME, WATCHED).tryAcquire(Duration.ofSeconds(50)).orElseThrow()) {
            long grantedNanos = System.nanoTime();
            awaitKeepers(5);
            Duration took = Duration.ofNanos(System.nanoTime() - grantedNanos);
            assertThat(took).isLessThan(TWO_PERIODS.plus(SLACK));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
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

        servers.get(0).kill();
        servers.get(1).kill();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        awaitNothingLeft();
    }
}
