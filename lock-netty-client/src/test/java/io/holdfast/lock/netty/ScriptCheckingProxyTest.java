package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.Frame;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.provider.LiteralKeys;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Locks through a proxy that reads scripts and refuses what Alibaba Cloud's does: a key that is not written {@code KEYS[n]}, a script
 * without keys, and RESP3. By its pages on Lua scripts (help.aliyun.com/en/redis/support/usage-of-lua-scripts) and by those who met
 * it (redisson/redisson 1538 and 4221, go-redis/redis_rate 93, ulule/limiter 190).
 */
@RedisTest
class ScriptCheckingProxyTest {

    private static final String BAD_SCRIPT =
            "ERR bad lua script for redis cluster, all the keys that the script uses should be passed"
                    + " using the KEYS array, and KEYS should not be in expression";
    private static final String NO_KEYS =
            "ERR for redis cluster, eval/evalsha number of keys can't be negative or zero";

    /** A client begins with this one, and does without its answer. */
    private static final String DIAGNOSIS = "Says which commands the user of this connection may run";

    /** Asks whether scripts may be run at all; any answer but one of rights will do. */
    private static final String PROBE = "0".repeat(40);

    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private FaultProxy proxy;
    private LockClient client;
    private LockClient other;

    @BeforeEach
    void connect(RedisServer server) {
        proxy = FaultProxy.to(server);
        proxy.onRequest(this::judge);
        client = LockClient.connect(proxy.url());
        other = LockClient.connect(proxy.url());
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
        proxy.close();
    }

    private FrameFate judge(Frame request) {
        List<String> words = request.words();
        String command = words.get(0).toUpperCase(Locale.ROOT);
        if (command.equals("HELLO")) {
            return FrameFate.refused("ERR unknown command 'HELLO'");
        }
        boolean loads = command.equals("SCRIPT") && words.get(1).equalsIgnoreCase("LOAD");
        String script = loads || command.equals("EVAL") ? words.get(loads ? 2 : 1) : "";
        if (!LiteralKeys.complaints(script).isEmpty()) {
            if (!script.contains(DIAGNOSIS)) {
                refused.add(script);
            }
            return FrameFate.refused(BAD_SCRIPT);
        }
        if (command.startsWith("EVAL") && words.get(2).equals("0")) {
            if (!words.get(1).equals(PROBE)) {
                refused.add(request.text());
            }
            return FrameFate.refused(NO_KEYS);
        }
        return FrameFate.PASS;
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                kind("plain", client -> client.getLock("a")),
                kind("fenced", client -> client.getFencedLock("a")),
                kind("fair", client -> client.getFairLock("a")),
                kind("write", client -> client.getReadWriteLock("a").writeLock()));
    }

    private static Arguments kind(String name, Function<LockClient, RLock> lock) {
        return Arguments.of(name, lock);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void aLockIsTakenAgainWaitedForAndReleased(String name, Function<LockClient, RLock> kind) throws Exception {
        RLock lock = kind.apply(client);
        RLock waiting = kind.apply(other);
        lock.lock();
        lock.lock();
        assertThat(waiting.tryLock()).isFalse();
        CompletableFuture<Boolean> next =
                waiting.tryLockAsync(10, -1, TimeUnit.SECONDS, 7).toCompletableFuture();
        lock.unlock();
        lock.unlock();
        assertThat(next.get(10, TimeUnit.SECONDS)).isTrue();
        waiting.unlockAsync(7).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(refused).isEmpty();
    }

    @Test
    void holdsOfAllKindsAreRenewed() throws Exception {
        ClientOptions quick = ClientOptions.builder()
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofSeconds(1))
                        .build())
                .build();
        try (LockClient renewing = LockClient.connect(proxy.url(), quick)) {
            renewing.getSemaphore("permits").trySetPermits(1);
            List<LockHold> holds = List.of(
                    renewing.getLock("a").acquire(),
                    renewing.getFairLock("b").acquire(),
                    renewing.getReadWriteLock("c").readLock().acquire());
            renewing.getSemaphore("permits").acquire();
            await().during(Duration.ofMillis(2_500))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> holds.stream().allMatch(hold -> hold.state() == HoldState.HELD));
            renewing.getSemaphore("permits").release();
            holds.forEach(LockHold::release);
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void readersPermitsAndLatchesWork() throws Exception {
        RLock one = client.getReadWriteLock("a").readLock();
        one.lock();
        assertThat(other.getReadWriteLock("a").readLock().tryLock()).isTrue();
        other.getReadWriteLock("a").readLock().unlock();
        one.unlock();
        RSemaphore permits = client.getSemaphore("permits");
        assertThat(permits.trySetPermits(1)).isTrue();
        permits.acquire();
        assertThat(other.getSemaphore("permits").tryAcquire()).isFalse();
        permits.release();
        RCountDownLatch latch = client.getCountDownLatch("latch");
        assertThat(latch.trySetCount(1)).isTrue();
        other.getCountDownLatch("latch").countDown();
        assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(refused).isEmpty();
    }

    /** It asks for the keys by a command, and names them to the script that looks at them. */
    @Test
    void aSearchFindsTheLocks() throws Exception {
        LockHold one = client.getLock("a").acquire();
        LockHold another = other.getFairLock("b").acquire();
        RLock reader = client.getReadWriteLock("c").readLock();
        reader.lock();
        try (Stream<LockInfo> locks = client.locks(LockQuery.all())) {
            assertThat(locks.map(LockInfo::name)).containsExactlyInAnyOrder("a", "b", "c");
        }
        reader.unlock();
        another.release();
        one.release();
        assertThat(refused).isEmpty();
    }

    @Test
    void theDiagnosisEnds() {
        assertThat(client.diagnose()).isNotNull();
    }
}
