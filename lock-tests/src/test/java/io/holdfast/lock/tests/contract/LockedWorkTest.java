package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work under a lock, and looking at a lock, for every kind of lock. */
@RedisTest(servers = 3)
class LockedWorkTest extends ServerTest {

    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final QuorumOptions PATIENT =
            QuorumOptions.builder().nodeTimeout(Duration.ofMillis(250)).build();

    /** What a lock is made of. */
    enum Kind {
        PLAIN(test -> test.connect().getLock("a")),
        FENCED(test -> test.connect().getFencedLock("a")),
        QUORUM(test -> test.quorum().getLock("a")),
        RED_LOCK(test -> RedLock.of(PATIENT, test.locks())),
        MULTI_LOCK(LockedWorkTest::multiLock);

        private final Function<LockedWorkTest, RLock> factory;

        Kind(Function<LockedWorkTest, RLock> factory) {
            this.factory = factory;
        }

        RLock lock(LockedWorkTest test) {
            return factory.apply(test);
        }
    }

    private LockClient quorum() {
        return closing(LockClient.connectQuorum(
                servers.stream().map(RedisServer::url).toList(), ClientOptions.defaults(), PATIENT));
    }

    private List<RLock> locks() {
        return servers.stream()
                .map(server -> closing(LockClient.connect(server.url())).getLock("a"))
                .toList();
    }

    private RLock multiLock() {
        LockClient client = connect();
        return MultiLock.of(client.getLock("b"), client.getLock("a"));
    }

    @ParameterizedTest
    @EnumSource
    void runsUnderTheLockAndGivesItBack(Kind kind) throws Exception {
        RLock lock = kind.lock(this);
        AtomicBoolean ran = new AtomicBoolean();
        lock.run(WAIT, hold -> {
            assertThat(hold.fencingToken()).isPositive();
            assertThat(lock.isLocked()).isTrue();
            assertThat(lock.isHeldByCurrentThread()).as("the action holds it").isFalse();
            ran.set(true);
        });
        assertThat(ran).isTrue();
        assertThat(lock.isLocked()).isFalse();
        String result = lock.call(WAIT, hold -> "done");
        assertThat(result).isEqualTo("done");
        assertThat(lock.isLocked()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void doesNotRunWithoutTheLock(Kind kind) throws Exception {
        RLock lock = kind.lock(this);
        AtomicBoolean ran = new AtomicBoolean();
        try (LockHold held = lock.acquire()) {
            assertThatThrownBy(() -> lock.run(SHORT, hold -> ran.set(true)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("'" + lock.getName() + "'")
                    .hasMessageContaining(String.valueOf(redis.port()));
            assertThat(held.fencingToken()).isPositive();
        }
        assertThat(ran).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void passesFailuresOnAndGivesTheLockBack(Kind kind) {
        RLock lock = kind.lock(this);
        assertThatThrownBy(() -> lock.call(WAIT, hold -> {
                    throw new IOException("of the application");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("of the application");
        assertThat(lock.isLocked()).isFalse();
        assertThatThrownBy(() -> lock.run(WAIT, hold -> lock.forceUnlock())).isInstanceOf(LockLostException.class);
    }

    @ParameterizedTest
    @EnumSource
    void canBeLookedAt(Kind kind) throws Exception {
        RLock lock = kind.lock(this);
        LockInfo free = lock.inspect();
        assertThat(free.name()).isEqualTo(lock.getName());
        assertThat(free.locked()).isFalse();
        assertThat(free.holders()).isEmpty();
        assertThat(free.timeToLive()).isEmpty();
        assertThat(free.heldByThisClient()).isFalse();
        try (LockHold hold = lock.acquire()) {
            LockInfo held = Futures.get(lock.inspectAsync());
            assertThat(held.locked()).isTrue();
            assertThat(held.heldByThisClient()).isTrue();
            assertThat(held.timeToLive().orElseThrow()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
            assertThat(held.holders()).isNotEmpty().allSatisfy(holder -> {
                assertThat(holder.holdCount()).isEqualTo(1);
                assertThat(holder.ofThisClient()).isTrue();
            });
            assertThat(held.holders())
                    .anySatisfy(holder -> assertThat(holder.owner()).startsWith(hold.owner()))
                    .anySatisfy(holder -> assertThat(holder.fencingToken()).hasValue(hold.fencingToken()));
            assertThat(held.toString()).contains(lock.getName(), hold.owner());
        }
    }

    @Test
    void aLookAtAMultiLockListsItsMembers() throws Exception {
        RLock both = multiLock();
        assertThat(both.inspect().members()).extracting(LockInfo::name).containsExactly("a", "b");
        try (LockHold one = connect().getLock("a").acquire()) {
            LockInfo half = both.inspect();
            assertThat(half.locked()).isFalse();
            assertThat(half.heldByThisClient()).isFalse();
            assertThat(half.timeToLive()).isEmpty();
            assertThat(half.members()).extracting(LockInfo::locked).containsExactly(true, false);
            assertThat(half.holders()).singleElement().satisfies(holder -> assertThat(holder.owner())
                    .startsWith(one.owner()));
        }
        try (LockHold hold = both.acquire()) {
            assertThat(hold.fencingToken()).isPositive();
            LockInfo whole = both.inspect();
            assertThat(whole.locked()).isTrue();
            assertThat(whole.members()).allMatch(LockInfo::locked).allMatch(LockInfo::heldByThisClient);
            assertThat(whole.holders()).hasSize(2);
        }
    }
}
