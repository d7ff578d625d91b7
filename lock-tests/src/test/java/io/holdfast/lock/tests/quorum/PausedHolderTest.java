package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.HolderProgram;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 37 over several servers: the holder's whole JVM stands still for longer than its lease. */
@RedisTest(servers = 3)
class PausedHolderTest extends QuorumTest {

    private static final int LEASE_MILLIS = 1_000;

    private ChildJvm child() throws Exception {
        return closing(ChildJvm.start(HolderProgram.class, urls().toArray(String[]::new)));
    }

    @Test
    @Tag("proof")
    void theFirstLookAtTheStateAfterAPauseSaysLost() throws Exception {
        LockClient client = connectQuorum();
        ChildJvm child = child();
        child.hear("ready");
        long token = Long.parseLong(child.ask("acquire " + NAME + " " + LEASE_MILLIS));
        child.say("watch " + LEASE_MILLIS);
        child.hear("watching");
        child.pause();
        long pausedNanos = System.nanoTime();
        try (LockHold successor =
                client.getLock(NAME).tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
            assertThat(successor.fencingToken()).isGreaterThan(token);
            await().until(() -> System.nanoTime() - pausedNanos > TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MILLIS));
            child.resume();
            assertThat(child.hear("watch ")).isEqualTo("LOST");
        }
    }

    /** The fault bites: without tokens the paused process overwrites what its successors wrote. */
    @Test
    @Tag("long")
    void withoutTokensUpdatesAreLost() throws Exception {
        assertThat(updatesLost("blind")).isEqualTo(3);
    }

    @Test
    @Tag("long")
    void withTokensNoUpdateIsLost() throws Exception {
        assertThat(updatesLost("guarded")).isZero();
    }

    /** Three updates by successors, between a paused process's reading and its writing. */
    private int updatesLost(String write) throws Exception {
        LockClient client = connectQuorum();
        FencedValue counter = closing(Clients.connect(urls().get(0))).getFencedValue("counter");
        counter.set("100", 1);
        ChildJvm child = child();
        child.hear("ready");
        child.ask("acquire " + NAME + " " + LEASE_MILLIS);
        assertThat(child.ask("read counter")).isEqualTo("100");
        child.pause();
        int accepted = 0;
        for (int i = 0; i < 3; i++) {
            try (LockHold hold =
                    client.getLock(NAME).tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
                int next = Integer.parseInt(counter.get().orElseThrow()) + 1;
                accepted +=
                        counter.set(Integer.toString(next), write.equals("blind") ? 1 : hold.fencingToken()) ? 1 : 0;
            }
        }
        child.resume();
        accepted += Boolean.parseBoolean(child.ask(write + " counter")) ? 1 : 0;
        return 100 + accepted - Integer.parseInt(counter.get().orElseThrow());
    }
}
