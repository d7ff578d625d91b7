package io.holdfast.lock.tests.multi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.tests.support.ServerTest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members on several servers, members that are quorums or several locks themselves, and members that are refused. */
class MultiLockServersTest extends ServerTest {

    private static final int ROUNDS = 40;

    @Test
    void membersMayLiveOnSeveralServers() throws Exception {
        try (RedisServer other = RedisServer.start();
                RawRedis there = other.connect()) {
            RLock here = connect().getLock("stock");
            RLock both =
                    MultiLock.of(here, closing(LockClient.connect(other.url())).getLock("stock"));
            try (LockHold hold = both.acquire()) {
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
                assertThat(lockKeys()).containsExactly("holdfast:{stock}");
                assertThat(there.integer("EXISTS", "holdfast:{stock}")).isEqualTo(1);
                assertThat(both.getName()).isEqualTo("stock");
            }
            assertThat(there.integer("EXISTS", "holdfast:{stock}")).isZero();
        }
    }

    @Tag("proof")
    @Test
    void aServerThatIsGoneFailsTheCallAndTheOtherMemberIsGivenBack() {
        RedisServer other = RedisServer.start();
        try {
            RLock gone = closing(LockClient.connect(other.url())).getLock("b");
            RLock both = MultiLock.of(connect().getLock("a"), gone);
            other.kill();
            // What is written before the client knows may have been applied: of such a call the outcome is unknown.
            eventually(() -> assertThatThrownBy(gone::isLocked)
                    .isInstanceOfSatisfying(LockUnavailableException.class, failed -> assertThat(failed.reason())
                            .isEqualTo(FailureReason.UNREACHABLE)));
            assertThatThrownBy(() -> both.tryLock(500, TimeUnit.MILLISECONDS))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("lock 'b'");
            eventually(() -> assertThat(lockKeys()).isEmpty());
        } finally {
            other.close();
        }
    }

    @Tag("proof")
    @Test
    void aRedLockMayBeAMember() throws Exception {
        try (RedisServers nodes = RedisServers.start(3)) {
            List<RLock> parts = new ArrayList<>();
            for (RedisServer node : nodes) {
                parts.add(closing(LockClient.connect(node.url())).getLock("quorum"));
            }
            RLock red = RedLock.of(parts.toArray(RLock[]::new));
            RLock both = MultiLock.of(red, connect().getLock("single"));
            try (LockHold hold = both.acquire()) {
                assertThat(red.isLocked()).isTrue();
                assertThat(hold.fencingToken()).isPositive();
                assertThat(red.tryLock()).isFalse();
                nodes.get(0).kill();
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
            }
            assertThat(red.isLocked()).isFalse();
        }
    }

    @Test
    void severalLocksMayBeAMemberOfMore() throws Exception {
        LockClient client = connect();
        RLock inner = MultiLock.of(client.getLock("b"), client.getLock("a"));
        RLock outer = MultiLock.of(client.getLock("c"), inner);
        try (LockHold hold = outer.acquire()) {
            assertThat(hold.name()).isEqualTo("c+a+b");
            assertThat(lockKeys()).hasSize(3);
        }
        assertThatThrownBy(() -> MultiLock.of(inner, client.getLock("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lock 'a'")
                .hasMessageContaining("is there twice");
    }

    /** Two clients take the same members in opposite order: nobody waits for ever, and nobody gets in between. */
    @Test
    void theOrderOfTheMembersMakesNoDeadlockAndNoUpdateIsLost() throws Exception {
        LockClient first = connect();
        LockClient second = connect();
        List<RLock> locks = List.of(
                MultiLock.of(first.getLock("a"), first.getLock("b"), first.getLock("c")),
                MultiLock.of(second.getLock("c"), second.getLock("b"), second.getLock("a")),
                MultiLock.of(first.getLock("c"), first.getLock("a")),
                MultiLock.of(second.getLock("a"), second.getLock("c")));
        int[] unguarded = new int[1];
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RLock lock = locks.get(i % locks.size());
                all.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        lock.lock();
                        try {
                            int seen = unguarded[0];
                            Thread.yield();
                            unguarded[0] = seen + 1;
                        } finally {
                            lock.unlock();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> thread : all) {
                thread.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(unguarded[0]).isEqualTo(8 * ROUNDS);
    }

    /** One process says 127.0.0.1 where the other says localhost, and the other way round. */
    @Test
    void twoNamesForEachServerMakeNoCircle() throws Exception {
        try (RedisServer other = RedisServer.start()) {
            List<RLock> locks = List.of(
                    stock(redis.url(), other.url().replace("127.0.0.1", "localhost")),
                    stock(redis.url().replace("127.0.0.1", "localhost"), other.url()));
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                List<Future<?>> all = new ArrayList<>();
                for (RLock lock : locks) {
                    all.add(threads.submit(() -> {
                        for (int round = 0; round < ROUNDS; round++) {
                            lock.lock();
                            lock.unlock();
                        }
                    }));
                }
                for (Future<?> thread : all) {
                    thread.get(20, TimeUnit.SECONDS);
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private RLock stock(String here, String there) {
        return MultiLock.of(
                closing(LockClient.connect(here)).getLock("stock"),
                closing(LockClient.connect(there)).getLock("stock"));
    }

    @Test
    void whatCannotBeAMemberIsRefusedAtOnce() {
        LockClient client = connect();
        RLock lock = client.getLock("a");
        assertThatThrownBy(MultiLock::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("MultiLock: no locks (expected: at least one)");
        assertThatThrownBy(() -> MultiLock.of(lock, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> MultiLock.of((RLock[]) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> MultiLock.of(lock, client.getLock("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lock 'a'")
                .hasMessageContaining("is there twice");
        RLock foreign = (RLock) Proxy.newProxyInstance(
                RLock.class.getClassLoader(), new Class<?>[] {RLock.class}, (proxy, method, args) -> "foreign");
        assertThatThrownBy(() -> MultiLock.of(lock, foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: a lock of a LockClient");
        client.close();
        assertThatThrownBy(() -> MultiLock.of(lock)).isInstanceOf(LockClientClosedException.class);
    }

    /** Whoever holds it by one of the clients would wait for himself at the other. */
    @Test
    void oneLockByTwoClientsOfItsServerIsRefused() {
        RLock mine = connect().getLock("a");
        RLock same = connect().getLock("a");
        assertThatThrownBy(() -> MultiLock.of(mine, same))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is there twice");
        try (LockClient otherAddress = LockClient.connect(redis.url().replace("127.0.0.1", "localhost"))) {
            RLock sameElsewhere = otherAddress.getLock("a");
            assertThatThrownBy(() -> MultiLock.of(mine, sameElsewhere))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is there twice");
        }
    }

    @Test
    void aSingleMemberIsAsGoodAsTheLockItself() throws Exception {
        RLock one = MultiLock.of(connect().getLock("a"));
        assertThat(one.tryLock(1, 5, TimeUnit.SECONDS)).isTrue();
        assertThat(one.remainTimeToLive()).isBetween(4_000L, 5_000L);
        one.unlock();
        assertThat(one.tryAcquire(Duration.ZERO)).isPresent().get().satisfies(LockHold::close);
    }
}
