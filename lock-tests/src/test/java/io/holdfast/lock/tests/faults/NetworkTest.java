package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.harness.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows 24 to 26: the network, or the server, is slow, lossy or silent. */
@Tag("proof")
@RedisTest
class NetworkTest {

    /** Row 24: packets vanish on the present connections; new ones would work. */
    @Test
    void aDeadPeerIsFoundAndReplaced(RedisServer redis) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient client = Clients.connect(proxy.url())) {
            LockHold hold = client.getLock("held", Clients.watchdog(Duration.ofSeconds(6)))
                    .acquire();
            List<FaultProxy.Link> dead = proxy.connections();
            dead.forEach(FaultProxy.Link::blackhole);

            RLock lock = client.getLock("job");
            await().pollInSameThread().atMost(Duration.ofSeconds(4)).until(() -> isGranted(lock));
            lock.unlock();
            assertThat(proxy.accepted()).isGreaterThan(dead.size());
            await().during(Duration.ofSeconds(3))
                    .atMost(Duration.ofSeconds(6))
                    .until(() -> hold.state() != HoldState.LOST);
            hold.close();
        }
    }

    private static boolean isGranted(RLock lock) throws InterruptedException {
        try {
            return lock.tryLock(100, TimeUnit.MILLISECONDS);
        } catch (LockException notYet) {
            return false;
        }
    }

    /** Row 25. */
    @Test
    void exclusionAndProgressSurviveASlowServer(RedisServer redis, RawRedis raw) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient first = Clients.connect(proxy.url());
                LockClient second = Clients.connect(redis.url())) {
            Workload work = new Workload().with(first, "job", 3).with(second, "job", 3);
            for (int round = 0; round < 3; round++) {
                raw.command("CLIENT", "PAUSE", "700", "ALL");
                int turns = work.turns();
                await().atMost(Duration.ofSeconds(10)).until(() -> work.turns() > turns + 20);
                proxy.delayReplies(Duration.ofMillis(20 * (round + 1)));
            }
            work.stop();
            assertThat(work.collisions()).isZero();
            await().until(() -> Stored.leftovers(raw).isEmpty());
        }
    }

    /** Row 26: what loss looks like above TCP: late bytes, stalls, and connections that end at any moment. */
    @Test
    void exclusionAndProgressSurviveALossyNetwork(RedisServer redis, RawRedis raw) throws Exception {
        Random random = new Random(26);
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient first = Clients.connect(proxy.url());
                LockClient second = Clients.connect(proxy.url())) {
            Workload work = new Workload().with(first, "job", 3).with(second, "job", 3);
            for (int round = 0; round < 40; round++) {
                int turns = work.turns();
                hurt(proxy, random);
                await().atMost(Duration.ofSeconds(10))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> work.turns() > turns + 3);
            }
            proxy.heal();
            work.stop();
            assertThat(work.collisions()).isZero();
            await().until(() -> Stored.leftovers(raw).isEmpty());
        }
    }

    private static void hurt(FaultProxy proxy, Random random) {
        List<FaultProxy.Link> links = proxy.connections();
        if (links.isEmpty()) {
            return;
        }
        FaultProxy.Link link = links.get(random.nextInt(links.size()));
        switch (random.nextInt(4)) {
            case 0 -> link.cut();
            case 1 -> link.end();
            case 2 -> link.delayReplies(Duration.ofMillis(random.nextInt(20)));
            default -> {
                link.swallowReplies();
                link.heal();
            }
        }
    }
}
