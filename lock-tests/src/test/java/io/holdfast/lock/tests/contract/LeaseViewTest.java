package io.holdfast.lock.tests.contract;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A view of a lock with a lease, over every kind of lock: the same lock, and only calls that name no lease differ. */
@RedisTest(servers = 3)
class LeaseViewTest extends ServerTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final QuorumOptions PATIENT =
            QuorumOptions.builder().nodeTimeout(Duration.ofMillis(250)).build();

    /** What a lock is made of. */
    enum Kind {
        PLAIN((test, options) -> test.client().getLock("a", options)),
        FENCED((test, options) -> test.client().getFencedLock("a", options)),
        QUORUM((test, options) -> test.quorum().getLock("a", options)),
        RED_LOCK((test, options) -> RedLock.of(PATIENT, test.locks(options))),
        MULTI_LOCK((test, options) ->
                MultiLock.of(test.client().getLock("a", options), test.client().getLock("b", options)));

        private final BiFunction<LeaseViewTest, LockOptions, RLock> factory;

        Kind(BiFunction<LeaseViewTest, LockOptions, RLock> factory) {
            this.factory = factory;
        }

        RLock lock(LeaseViewTest test) {
            return lock(test, LockOptions.defaults());
        }

        RLock lock(LeaseViewTest test, LockOptions options) {
            return factory.apply(test, options);
        }
    }

    private LockClient client() {
        return connect();
    }

    private LockClient quorum() {
        return closing(LockClient.connectQuorum(
                servers.stream().map(RedisServer::url).toList(), ClientOptions.defaults(), PATIENT));
    }

    private List<RLock> locks(LockOptions options) {
        return servers.stream()
                .map(server -> closing(LockClient.connect(server.url())).getLock("a", options))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void isEqualToItsLock(Kind kind) {
        RLock lock = kind.lock(this);
        RLock view = lock.withLease(LEASE);
        assertThat(view).isEqualTo(lock).hasSameHashCodeAs(lock);
        assertThat(lock).isEqualTo(view).isEqualTo(lock.withLease(Duration.ofSeconds(1)));
        assertThat(view.getName()).isEqualTo(lock.getName());
        assertThat(view).isNotEqualTo(kind.lock(this));
    }

    @ParameterizedTest
    @EnumSource
    void givesItsLeaseToCallsThatNameNone(Kind kind) throws Exception {
        RLock lock = kind.lock(this);
        RLock view = lock.withLease(LEASE);
        try (LockHold hold = view.acquire()) {
            assertLeft(lock, hold, LEASE);
        }
        try (LockHold hold = view.tryAcquire().orElseThrow()) {
            assertLeft(lock, hold, LEASE);
        }
        try (LockHold hold = view.tryAcquire(LEASE).orElseThrow()) {
            assertLeft(lock, hold, LEASE);
        }
        try (LockHold hold = Futures.get(view.acquireAsync())) {
            assertLeft(lock, hold, LEASE);
        }
        try (LockHold hold = Futures.get(view.tryAcquireAsync()).orElseThrow()) {
            assertLeft(lock, hold, LEASE);
        }
        view.lock();
        assertThat(lock.remainTimeToLive()).isBetween(1L, LEASE.toMillis());
        lock.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void isNotRenewed(Kind kind) {
        LockOptions quick =
                LockOptions.builder().watchdogLease(Duration.ofMillis(100)).build();
        RLock view = kind.lock(this, quick).withLease(Duration.ofSeconds(1));
        view.lock();
        eventually(() -> assertThat(view.isLocked()).isFalse());
        assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void givesWayToALeaseThatTheCallNames(Kind kind) throws Exception {
        RLock lock = kind.lock(this);
        RLock view = lock.withLease(LEASE);
        Duration longer = Duration.ofSeconds(50);
        try (LockHold hold = view.tryAcquire(Duration.ZERO, longer).orElseThrow()) {
            assertLeft(lock, hold, longer);
        }
        view.lock(longer.toSeconds(), SECONDS);
        assertThat(lock.remainTimeToLive()).isGreaterThan(LEASE.toMillis());
        view.unlock();
        assertThat(view.tryLock(0, -1, SECONDS)).isTrue();
        assertThat(lock.remainTimeToLive()).as("the watchdog's").isGreaterThan(LEASE.toMillis());
        view.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void winsOverTheLeaseOfTheOptions(Kind kind) throws Exception {
        LockOptions options =
                LockOptions.builder().lease(Duration.ofSeconds(50)).build();
        RLock lock = kind.lock(this, options);
        try (LockHold hold = lock.withLease(LEASE).acquire()) {
            assertLeft(lock, hold, LEASE);
        }
        try (LockHold hold =
                lock.withLease(LEASE).withLease(Duration.ofSeconds(20)).acquire()) {
            assertLeft(lock, hold, Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @EnumSource
    void reEntersItsLock(Kind kind) throws Exception {
        RLock lock = kind.lock(this);
        RLock view = lock.withLease(LEASE);
        lock.lock();
        long token = lock.getFencingToken();
        assertThat(view.tryLock()).isTrue();
        assertThat(view.getHoldCount()).isEqualTo(2);
        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThat(view.isHeldByCurrentThread()).isTrue();
        assertThat(view.getFencingToken()).isEqualTo(token);
        assertThat(lock.remainTimeToLive()).as("never shortened").isGreaterThan(LEASE.toMillis());
        assertThat(view.tryAcquire(Duration.ofMillis(20))).as("another owner").isEmpty();
        lock.unlock();
        view.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Tag("proof")
    @ParameterizedTest
    @EnumSource
    void lengthensWhatItReEntersAndLeavesTheWatchdogItsLevel(Kind kind) throws Exception {
        LockOptions quick =
                LockOptions.builder().watchdogLease(Duration.ofMillis(500)).build();
        RLock lock = kind.lock(this, quick);
        RLock rival = kind.lock(this);
        lock.lock();
        lock.withLease(Duration.ofSeconds(2)).lock();
        assertThat(lock.remainTimeToLive()).isGreaterThan(500);
        lock.unlock();
        assertThat(rival.tryLock(2_500, MILLISECONDS))
                .as("the level without a lease is renewed")
                .isFalse();
        lock.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedWhereItsLeaseIs(Kind kind) {
        LockOptions options = LockOptions.builder()
                .watchdogLease(Duration.ofSeconds(1))
                .maxHold(Duration.ofSeconds(5))
                .build();
        RLock lock = kind.lock(this, options);
        assertThatThrownBy(() -> lock.withLease(Duration.ofMillis(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease")
                .hasMessageContaining("10 ms");
        assertThatThrownBy(() -> lock.withLease(Duration.ofSeconds(6)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxHold");
    }

    @Test
    void isAMemberLikeItsLock() throws Exception {
        LockClient client = client();
        RLock a = client.getLock("a");
        RLock b = client.getLock("b");
        RLock c = client.getLock("c");
        RLock all = MultiLock.of(MultiLock.of(a, b).withLease(LEASE), c);
        assertThat(all).isEqualTo(MultiLock.of(a, b, c)).hasSameHashCodeAs(MultiLock.of(c, b, a));
        try (LockHold hold = all.acquire()) {
            assertLeft(all, hold, LEASE);
        }
        assertThatThrownBy(() -> MultiLock.of(a, a.withLease(LEASE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
        List<RLock> views = locks(LockOptions.defaults()).stream()
                .map(lock -> lock.withLease(LEASE))
                .toList();
        RLock red = RedLock.of(PATIENT, views);
        try (LockHold hold = red.acquire()) {
            assertLeft(red, hold, LEASE);
        }
    }

    /** Fixed, and as long as that. */
    private static void assertLeft(RLock lock, LockHold hold, Duration lease) {
        assertThat(hold.validFor()).isBetween(lease.minusSeconds(5), lease);
        assertThat(lock.remainTimeToLive()).isBetween(lease.minusSeconds(5).toMillis(), lease.toMillis());
    }
}
