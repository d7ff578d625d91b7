package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.ChildJvm;
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
}
