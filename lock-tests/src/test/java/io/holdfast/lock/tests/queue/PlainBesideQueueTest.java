package io.holdfast.lock.tests.queue;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plain callers of a lock whose fair callers always keep a queue (rule 132). */
@Tag("proof")
class PlainBesideQueueTest extends QueueTest {

    private static final int THREADS = 4;
    private static final int HELD_MILLIS = 2;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Future<?>> fairCallers = new ArrayList<>();

    @BeforeEach
    void keepAQueue() {
        for (LockClient each : List.of(client, other)) {
            RLock lock = fair(each);
            for (int i = 0; i < THREADS; i++) {
                fairCallers.add(threads.submit(() -> keepsTaking(lock, over)));
            }
        }
        eventually(() -> assertThat(waiting()).hasSizeGreaterThan(THREADS));
    }

    @AfterEach
    void endCallers() throws Exception {
        endFairCallers();
        threads.shutdown();
    }

    private void endFairCallers() throws Exception {
        over.set(true);
        for (Future<?> caller : fairCallers) {
            caller.get();
        }
    }

    @Test
    void aCallOfAnotherClientIsServed() throws Exception {
        assertServed(connect());
    }

    @Test
    void aCallOfAFairCallersClientIsServed() throws Exception {
        assertServed(client);
    }

    /** Each of them takes a place of its own: the last does not wait for the queue once for each that came before it. */
    @Test
    void manyCallsOfOneClientAreServed() throws Exception {
        LockClient plain = connect();
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < 2 * THREADS; i++) {
            calls.add(threads.submit(() -> {
                assertServed(plain);
                return null;
            }));
        }
        for (Future<?> call : calls) {
            call.get();
        }
    }

    /** Plain calls would keep each other in it, and no client hands the lock on beside a queue. */
    @Test
    void theQueueEndsWithTheLastFairCall() throws Exception {
        AtomicBoolean plainOver = new AtomicBoolean();
        List<Future<Integer>> plain = new ArrayList<>();
        for (LockClient each : List.of(connect(), connect())) {
            for (int i = 0; i < 2; i++) {
                plain.add(threads.submit(() -> keepsTaking(each.getLock(NAME), plainOver)));
            }
        }
        try {
            eventually(() -> assertThat(waiting()).anyMatch(PlainBesideQueueTest::isPlain));
            endFairCallers();

            eventually(() -> assertThat(waiting()).isEmpty());
            await().during(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertThat(waiting()).isEmpty());
        } finally {
            plainOver.set(true);
        }
        for (Future<Integer> caller : plain) {
            assertThat(caller.get()).isPositive();
        }
    }

    private static int keepsTaking(RLock lock, AtomicBoolean until) throws InterruptedException {
        int grants = 0;
        while (!until.get()) {
            lock.lock();
            MILLISECONDS.sleep(HELD_MILLIS);
            lock.unlock();
            grants++;
        }
        return grants;
    }

    private static boolean isPlain(String place) {
        return place.matches(".*:0[0-9]+");
    }

    private static void assertServed(LockClient of) throws InterruptedException {
        RLock lock = of.getLock(NAME);
        assertThat(lock.tryLock(20, SECONDS)).isTrue();
        lock.unlock();
    }
}
