package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.Frame;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.evidence.Guarded;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rule 70, under load: one reply too few, or one too many, in a stream of many that look alike. */
@Tag("proof")
@RedisTest
class OneLostReplyTest {

    private static final int CLIENTS = 3;
    private static final int THREADS = 8;
    private static final int LOCKS = 4;
    private static final int TIMES = 20;

    /** Tokens are the server's time in microseconds. */
    private static final long LEAST_TOKEN = 1_000_000_000_000_000L;

    private final AtomicInteger turns = new AtomicInteger();
    private final Queue<String> lost = new ConcurrentLinkedQueue<>();
    private final List<Guarded> guarded =
            IntStream.range(0, LOCKS).mapToObj(i -> new Guarded(LEAST_TOKEN)).toList();
    private volatile boolean stopped;

    @Test
    void afterOneLostReplyNoLockHasTwoOwners(RedisServer redis) throws Exception {
        workThrough(redis, FrameFate.DROP);
    }

    @Test
    void afterOneDoubledReplyNoLockHasTwoOwners(RedisServer redis) throws Exception {
        workThrough(redis, FrameFate.TWICE);
    }

    private void workThrough(RedisServer redis, FrameFate fate) throws Exception {
        List<LockClient> clients = new ArrayList<>();
        List<Background<Boolean>> workers = new ArrayList<>();
        try (FaultProxy proxy = FaultProxy.to(redis)) {
            for (int i = 0; i < CLIENTS; i++) {
                LockClient client = Clients.connect(proxy.url());
                clients.add(client);
                for (int thread = 0; thread < THREADS; thread++) {
                    int job = thread % LOCKS;
                    workers.add(Background.run(() -> work(client, job)));
                }
            }
            for (int time = 0; time < TIMES && wrong().isEmpty(); time++) {
                awaitTurns();
                AtomicBoolean done = new AtomicBoolean();
                proxy.onReply(reply -> isOfAScript(reply) && done.compareAndSet(false, true) ? fate : FrameFate.PASS);
                await().until(done::get);
            }
            awaitTurns();
            stopped = true;
            for (Background<Boolean> worker : workers) {
                worker.result();
            }
        } finally {
            stopped = true;
            clients.forEach(LockClient::close);
        }
        assertThat(wrong()).isEmpty();
    }

    private void awaitTurns() {
        int before = turns.get();
        await().until(() -> turns.get() > before + 50 || !wrong().isEmpty());
    }

    private List<String> wrong() {
        return Stream.concat(lost.stream(), guarded.stream().flatMap(job -> job.wrong().stream()))
                .toList();
    }

    private static boolean isOfAScript(Frame reply) {
        return reply.text().startsWith("*2");
    }

    private void work(LockClient client, int job) {
        while (!stopped) {
            try {
                Optional<LockHold> hold = client.getLock("job" + job).tryAcquire(Duration.ofSeconds(2));
                if (hold.isPresent()) {
                    guarded.get(job).visit(hold.get().fencingToken());
                    hold.get().close();
                    turns.incrementAndGet();
                }
            } catch (LockException typed) {
                // Unknown, or not available: what a lost reply may lead to.
                continue;
            } catch (LockLostException early) {
                lost.add("job" + job + " was lost within its lease: " + early.getMessage());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
