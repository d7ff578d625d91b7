package io.holdfast.lock.tests.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many callers share one WAIT. */
@Tag("proof")
class SharedWaitTest {

    private static final int CALLERS = 64;
    private static final int EACH = 50;
    private static final int FEWEST_PER_WAIT = 8;

    @Test
    void aWaitCoversManyAcquisitions() throws Exception {
        try (ReplicatedPair pair = ReplicatedPair.start();
                LockClient client = LockClient.connect(
                        pair.primary().url(),
                        Clients.quick()
                                .waitForReplicas(1, Duration.ofSeconds(20))
                                .build());
                RawRedis raw = pair.primary().connect()) {
            ConfirmedLockTest.awaitOnLine(pair);
            CyclicBarrier start = new CyclicBarrier(CALLERS);
            List<Background<Boolean>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                RLock lock = client.getLock("lock-" + caller);
                callers.add(Background.run(() -> {
                    start.await(20, TimeUnit.SECONDS);
                    for (int i = 0; i < EACH; i++) {
                        lock.lock();
                        lock.unlock();
                    }
                }));
            }
            for (Background<Boolean> caller : callers) {
                caller.result(Duration.ofSeconds(60));
            }
            long waits = raw.calls("wait");
            System.out.printf(
                    "%d acquisitions by %d callers, %d WAITs: %.1f each%n",
                    CALLERS * EACH, CALLERS, waits, (double) CALLERS * EACH / waits);
            assertThat(waits).isPositive().isLessThanOrEqualTo(CALLERS * EACH / FEWEST_PER_WAIT);
        }
    }
}
