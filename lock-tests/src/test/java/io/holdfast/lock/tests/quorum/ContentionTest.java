package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.tests.harness.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand contended acquisitions over five servers. */
class ContentionTest extends QuorumTest {

    private static final int CLIENTS = 4;
    private static final int THREADS = 2;
    private static final int ROUNDS = 125;

    /** Read and written without any other protection; what {@code volatile} adds is only that others see it. */
    private volatile int counter;

    private volatile long lastToken;

    @Test
    @Tag("proof")
    void noUpdateIsLostAndTokensGrow() throws Exception {
        AtomicReference<String> broken = new AtomicReference<>();
        List<LockClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(warm(connectQuorum()));
        }
        List<Background<Boolean>> workers = new ArrayList<>();
        for (LockClient client : clients) {
            for (int thread = 0; thread < THREADS; thread++) {
                workers.add(Background.run(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        addOne(client, broken);
                    }
                }));
            }
        }
        for (Background<Boolean> worker : workers) {
            worker.result(Duration.ofSeconds(60));
        }
        assertThat(broken.get()).isNull();
        assertThat(counter).isEqualTo(CLIENTS * THREADS * ROUNDS);
        awaitNothingLeft();
    }

    private void addOne(LockClient client, AtomicReference<String> broken) throws Exception {
        try (LockHold hold =
                client.getLock(NAME).tryAcquire(Duration.ofSeconds(50)).orElseThrow()) {
            int before = counter;
            if (hold.fencingToken() <= lastToken) {
                broken.set("token " + hold.fencingToken() + " after " + lastToken);
            }
            lastToken = hold.fencingToken();
            Thread.yield();
            counter = before + 1;
        }
    }

    /** One server answers, and is asked, too late for every round. What it grants after a rollback is undone. */
    @Tag("proof")
    @Test
    void aLateGrantAfterARollbackLeavesNoKey() throws Exception {
        List<FaultProxy> proxies = proxies();
        LockClient slow = warm(connectQuorum(
                urlsOf(proxies),
                PATIENT.toBuilder().nodeTimeout(Duration.ofMillis(50)).build()));
        LockClient holder = warm(connectQuorum());
        for (int round = 0; round < 5; round++) {
            LockHold hold = holder.getLock(NAME).acquire();
            awaitKeepers(5);
            proxies.get(4).delayRequests(Duration.ofMillis(150));
            proxies.get(3).delayReplies(Duration.ofMillis(150));
            assertThat(slow.getLock(NAME).tryAcquire(Duration.ZERO)).isEmpty();
            // Free before the late request arrives: it is granted, and nobody wants it any more.
            hold.close();
            awaitNothingLeft();
            proxies.get(4).heal();
            proxies.get(3).heal();
            // What was sent before has arrived when this has been answered.
            slow.getLock(NAME).tryAcquire(Duration.ofSeconds(5)).orElseThrow().close();
            awaitNothingLeft();
        }
    }
}
