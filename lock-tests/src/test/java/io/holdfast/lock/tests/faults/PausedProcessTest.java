package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.HolderProgram;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 37: a whole JVM stands still for longer than its lease (SIGSTOP) and goes on as if nothing had been. */
@Tag("proof")
@RedisTest
class PausedProcessTest {

    private static final int LEASE_MILLIS = 1_000;

    @Tag("proof")
    @Test
    void theFirstLookAtTheStateAfterAPauseSaysLost(RedisServer redis) throws Exception {
        try (LockClient client = Clients.connect(redis.url());
                ChildJvm child = ChildJvm.start(HolderProgram.class, redis.url())) {
            child.hear("ready");
            long token = Long.parseLong(child.ask("acquire job " + LEASE_MILLIS));
            child.say("watch " + LEASE_MILLIS);
            child.hear("watching");
            child.pause();
            long pausedNanos = System.nanoTime();
            try (LockHold successor =
                    client.getLock("job").tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
                assertThat(successor.fencingToken()).isGreaterThan(token);
                await().until(() -> System.nanoTime() - pausedNanos > TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MILLIS));
                child.resume();
                assertThat(child.hear("watch ")).isEqualTo("LOST");
            }
        }
    }

    /** Without tokens the paused process overwrites its successors: the fault is real, and this suite causes it. */
    @Tag("proof")
    @Test
    void withoutTokensUpdatesAreLost(RedisServer redis) throws Exception {
        assertThat(updatesLost(redis, "blind")).isEqualTo(5);
    }

    /** The same fault, and every write carries its token. */
    @Test
    void withTokensNoUpdateIsLost(RedisServer redis) throws Exception {
        assertThat(updatesLost(redis, "guarded")).isZero();
    }

    /** Five updates by a successor, between a paused process's reading and its writing. */
    private static int updatesLost(RedisServer redis, String write) throws Exception {
        try (LockClient client = Clients.connect(redis.url());
                ChildJvm child = ChildJvm.start(HolderProgram.class, redis.url())) {
            FencedValue counter = client.getFencedValue("counter");
            counter.set("100", 1);
            child.hear("ready");
            child.ask("acquire job " + LEASE_MILLIS);
            assertThat(child.ask("read counter")).isEqualTo("100");
            child.pause();
            int accepted = 0;
            for (int i = 0; i < 5; i++) {
                accepted += addOneUnderTheLock(client, counter, write) ? 1 : 0;
            }
            child.resume();
            accepted += Boolean.parseBoolean(child.ask(write + " counter")) ? 1 : 0;
            return 100 + accepted - Integer.parseInt(counter.get().orElseThrow());
        }
    }

    private static boolean addOneUnderTheLock(LockClient client, FencedValue counter, String write) throws Exception {
        try (LockHold hold =
                client.getLock("job").tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
            int next = Integer.parseInt(counter.get().orElseThrow()) + 1;
            return counter.set(Integer.toString(next), write.equals("blind") ? 1 : hold.fencingToken());
        }
    }
}
