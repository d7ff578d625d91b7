package io.holdfast.lock.tests.queue;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
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
                fairCallers.add(threads.submit(() -> {
                    while (!over.get()) {
                        lock.lock();
                        MILLISECONDS.sleep(HELD_MILLIS);
                        lock.unlock();
                    }
                    return null;
                }));
            }
        }
        eventually(() -> assertThat(waiting()).hasSizeGreaterThan(THREADS));
    }

    @AfterEach
    void endCallers() throws Exception {
        over.set(true);
        for (Future<?> caller : fairCallers) {
            caller.get();
        }
        threads.shutdown();
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

    private static void assertServed(LockClient of) throws InterruptedException {
        RLock lock = of.getLock(NAME);
        assertThat(lock.tryLock(20, SECONDS)).isTrue();
        lock.unlock();
    }
}
