package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson and Holdfast on the same keys of one Sentinel group: they exclude and wake each other, before and after a switch. */
@Tag("proof")
class MixedSentinelFleetTest extends SentinelTest {

    private static final String NAME = "shared";
    private static final LockOptions SHARED =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    /** Less than a lease of either: a waiter that is not woken is not granted in this time. */
    private static final Duration WOKEN = Duration.ofSeconds(15);

    private RedissonClient redisson;
    private RLock ours;
    private org.redisson.api.RLock theirs;

    @BeforeEach
    void connectBoth() {
        ours = connect().getLock(NAME);
        redisson = redisson();
        theirs = redisson.getLock(NAME);
    }

    @AfterEach
    void closeTheirs() {
        redisson.shutdown();
    }

    @Override
    ClientOptions.Builder options() {
        return Clients.quick().lockOptions(SHARED);
    }

    private RedissonClient redisson() {
        Config config = new Config();
        var sentinels = config.useSentinelServers().setMasterName(group.name());
        group.sentinels().forEach(sentinel -> sentinels.addSentinelAddress(sentinel.url()));
        return Redisson.create(config);
    }

    @Test
    void eachExcludesAndWakesTheOtherBeforeAndAfterASwitch() throws Exception {
        assertExcludesAndWakes();
        RedisServer old = group.primary();
        RedisServer now = group.failOver();
        OurConnections.awaitNoneAt(old);
        awaitTheirsAt(now);
        assertExcludesAndWakes();
    }

    /** The waiters subscribe again at the new primary, and the holds are the same there. */
    @Test
    void holdsOfBothOutliveASwitchAndWakeTheOthersWaiter() throws Exception {
        LockHold held = ours.acquire();
        Background<Boolean> theirWaiter = theirTurn();
        awaitSubscribers(1);
        awaitReplicated();
        RedisServer first = group.failOver();
        awaitTheirsAt(first);
        assertThat(theirWaiter.isDone()).isFalse();
        held.release();
        assertThat(theirWaiter.result(PATIENCE)).isTrue();

        theirs.lock();
        RFuture<LockHold> ourWaiter = ours.acquireAsync();
        awaitSubscribers(1);
        awaitReplicated();
        group.failOver();
        eventually(() -> assertThat(connections(group.primary())).hasSizeGreaterThanOrEqualTo(2));
        assertThat(ourWaiter.isDone()).isFalse();
        await().atMost(PATIENCE).pollInSameThread().ignoreExceptions().until(() -> {
            theirs.unlock();
            return true;
        });
        Futures.get(ourWaiter).release();
    }

    private void assertExcludesAndWakes() throws Exception {
        LockHold held = ours.acquire();
        assertThat(theirs.tryLock()).isFalse();
        Background<Boolean> theirWaiter = theirTurn();
        awaitSubscribers(1);
        held.release();
        assertThat(theirWaiter.result(WOKEN)).isTrue();

        theirs.lock();
        assertThat(ours.tryLock()).isFalse();
        Background<Boolean> ourWaiter = Background.run(() -> ours.acquire().release());
        awaitSubscribers(1);
        theirs.unlock();
        assertThat(ourWaiter.result(WOKEN)).isTrue();
    }

    private Background<Boolean> theirTurn() {
        return Background.call(() -> {
            boolean granted = theirs.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            theirs.unlock();
            return granted;
        });
    }

    /** Their client needs a while to follow, during which its calls fail. */
    private void awaitTheirsAt(RedisServer now) {
        org.redisson.api.RLock probe = redisson.getLock("probe");
        eventually(() -> {
            assertThat(probe.tryLock()).isTrue();
            try (RawRedis raw = now.connect()) {
                assertThat(raw.integer("EXISTS", "probe")).isOne();
            } finally {
                probe.unlock();
            }
        });
    }

    private void awaitReplicated() {
        eventually(() -> assertThat(group.replicas()).allSatisfy(replica -> {
            try (RawRedis raw = replica.connect()) {
                assertThat(raw.integer("EXISTS", NAME)).isOne();
            }
        }));
    }

    private void awaitSubscribers(int count) {
        eventually(() -> assertThat(group.servers().stream()
                        .filter(RedisServer::isAlive)
                        .mapToLong(MixedSentinelFleetTest::subscribers)
                        .sum())
                .isEqualTo(count));
    }

    private static long subscribers(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return Long.parseLong(raw.list("PUBSUB", "NUMSUB", "redisson_lock__channel:{" + NAME + "}")
                    .get(1));
        }
    }
}
