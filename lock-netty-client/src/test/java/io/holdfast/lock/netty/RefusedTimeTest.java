package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.Frame;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.testkit.RedisTest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks through a proxy behind which no script may ask for the time (rule 135). */
@RedisTest
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedTimeTest {

    /** What a script meets that asks for the time; the server adds the code and the script. */
    private static final String REFUSAL = "error('This Redis command is not allowed from script')";

    private final Map<String, String> loaded = new ConcurrentHashMap<>();
    /** How often a client asked for the time by a command. */
    private final AtomicInteger asked = new AtomicInteger();
    /** How many calls of scripts have gone to the server. */
    private final AtomicInteger calls = new AtomicInteger();

    /** The keys of the calls in their order, each where it was sent first; and of those that bring the time along. */
    private final Set<String> first = Collections.synchronizedSet(new LinkedHashSet<>());

    private final Set<String> timed = Collections.synchronizedSet(new LinkedHashSet<>());

    /** The keys of locks that calls wanted which brought the time along. */
    private final List<String> wanted = new CopyOnWriteArrayList<>();

    private volatile boolean refuses = true;
    private volatile boolean isSlow;
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
        if (command.equals("TIME")) {
            asked.incrementAndGet();
            return isSlow ? FrameFate.delayed(Duration.ofMillis(500)) : FrameFate.PASS;
        }
        if (command.equals("SCRIPT") && words.get(1).equalsIgnoreCase("LOAD")) {
            loaded.put(sha1(words.get(2)), words.get(2));
        }
        String script = command.equals("EVALSHA") ? loaded.get(words.get(1)) : null;
        if (script == null) {
            return FrameFate.PASS;
        }
        calls.incrementAndGet();
        first.add(words.get(3));
        if (script.contains("passed = table.remove(ARGV)")) {
            timed.add(words.get(3));
            if (script.contains("-- Takes a lock that is free")) {
                wanted.add(words.get(3));
            }
        }
        if (!refuses) {
            return FrameFate.PASS;
        }
        List<String> instead = new ArrayList<>(words);
        instead.set(0, "EVAL");
        instead.set(1, script.replace("redis.call('TIME')", REFUSAL));
        return FrameFate.instead(instead);
    }

    private static String sha1(String script) {
        try {
            byte[] bytes = script.getBytes(StandardCharsets.ISO_8859_1);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError(missing);
        }
    }

    @Test
    void aPlainLockIsTakenAgainWaitedForAndReleased() throws Exception {
        RLock lock = client.getLock("a");
        RLock waiting = other.getLock("a");
        lock.lock();
        lock.lock();
        assertThat(waiting.tryLock()).isFalse();
        CompletableFuture<Boolean> next =
                waiting.tryLockAsync(10, -1, TimeUnit.SECONDS, 7).toCompletableFuture();
        await().until(() -> client.inspect("a").locked());
        lock.unlock();
        assertThat(next).isNotDone();
        lock.unlock();
        assertThat(next.get(10, TimeUnit.SECONDS)).isTrue();
        waiting.unlockAsync(7).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(asked).as("once for each client").hasValue(2);
    }

    @Test
    void clientsTakeTurnsAndTokensGrow() throws Exception {
        long before = micros();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            LockClient next = i % 2 == 0 ? client : other;
            try (LockHold hold = next.getLock("a").acquire()) {
                tokens.add(hold.fencingToken());
            }
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(tokens.get(0)).isBetween(before - 1_000_000, micros());
    }

    @Test
    void callsThatMeetTheRefusalTogetherAllGetTheirAnswer() throws Exception {
        List<CompletableFuture<LockHold>> holds = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            holds.add(client.getLock("lock " + i).acquireAsync().toCompletableFuture());
        }
        for (CompletableFuture<LockHold> hold : holds) {
            hold.get(10, TimeUnit.SECONDS);
        }
        assertThat(asked).hasValue(1);
        assertThat(ofLocks(timed)).as("none overtakes another").hasSize(50).containsExactlyElementsOf(ofLocks(first));
    }

    /** Without the client's record, which it writes at any time. */
    private static List<String> ofLocks(Set<String> keys) {
        synchronized (keys) {
            return keys.stream().filter(key -> key.contains("lock")).toList();
        }
    }

    @Test
    void aCallThatIsGivenUpBeforeTheTimeIsKnownIsNotSentAgain() throws Exception {
        isSlow = true;
        CompletableFuture<LockHold> givenUp = client.getLock("a").acquireAsync().toCompletableFuture();
        await().until(() -> asked.get() == 1);
        givenUp.cancel(true);
        client.getLock("b").acquire().close();
        assertThat(wanted).containsExactly("holdfast:{b}");
        assertThat(other.getLock("a").tryLock()).isTrue();
        other.getLock("a").unlock();
    }

    @Test
    void holdsAreRenewed() throws Exception {
        ClientOptions quick = ClientOptions.builder()
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofSeconds(1))
                        .build())
                .build();
        try (LockClient renewing = LockClient.connect(proxy.url(), quick)) {
            LockHold hold = renewing.getLock("a").acquire();
            await().during(Duration.ofMillis(2_500))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> hold.state() == HoldState.HELD
                            && !other.getLock("a").tryLock());
            hold.release();
        }
    }

    /** As after a failover to such a server. */
    @Test
    void aReleaseMayBeTheFirstRequest() throws Exception {
        refuses = false;
        LockHold hold = client.getLock("a").acquire();
        CompletableFuture<LockHold> next = other.getLock("a").acquireAsync().toCompletableFuture();
        await().until(() -> client.inspect("a").subscribedProcesses() > 0);
        assertThat(asked).as("not needed where scripts may ask").hasValue(0);
        refuses = true;
        proxy.cutAll();
        hold.release();
        next.get(10, TimeUnit.SECONDS).close();
        assertThat(client.inspect("a").locked()).isFalse();
    }

    /** It asks, is refused, hears the time, and asks again. */
    @Test
    void laterCallsBringTheTimeAlong() throws Exception {
        client.getLock("a").acquire().close();
        int before = calls.get();
        client.getLock("a").acquire().close();
        assertThat(calls.get() - before).isEqualTo(2);
        assertThat(asked).hasValue(1);
    }

    @Test
    void redLocksOfPlainLocksWork() throws Exception {
        try (RedisServers servers = RedisServers.start(3)) {
            List<FaultProxy> proxies = servers.stream().map(FaultProxy::to).toList();
            proxies.forEach(each -> each.onRequest(this::judge));
            List<String> urls = proxies.stream().map(FaultProxy::url).toList();
            // Three round trips for the first request to each node; how short they are is no matter here.
            QuorumOptions patient =
                    QuorumOptions.builder().nodeTimeout(Duration.ofMillis(900)).build();
            try (LockClient one = LockClient.connectQuorum(urls, ClientOptions.defaults(), patient);
                    LockClient another = LockClient.connectQuorum(urls, ClientOptions.defaults(), patient)) {
                LockHold first = one.getLock("a").acquire();
                assertThat(another.getLock("a").tryLock()).isFalse();
                CompletableFuture<LockHold> next =
                        another.getLock("a").acquireAsync().toCompletableFuture();
                first.release();
                LockHold second = next.get(10, TimeUnit.SECONDS);
                assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
                second.close();
            }
            proxies.forEach(FaultProxy::close);
        }
        assertThat(asked).as("at each node").hasValueGreaterThan(5);
    }

    @Test
    void latchesWork() throws Exception {
        assertThat(client.getCountDownLatch("latch").trySetCount(1)).isTrue();
        other.getCountDownLatch("latch").countDown();
        assertThat(client.getCountDownLatch("latch").await(10, TimeUnit.SECONDS))
                .isTrue();
    }

    /** Takes something. */
    private interface Taking {
        void by(LockClient client) throws Exception;
    }

    static Stream<Arguments> refusedKinds() {
        return Stream.of(
                kind("fair", client -> client.getFairLock("a").tryLock()),
                kind("reader", client -> client.getReadWriteLock("a").readLock().tryLock()),
                kind(
                        "writer",
                        client -> client.getReadWriteLock("a").writeLock().lock()),
                kind("candidate", client -> client.getElection("a").campaign("id", new byte[0])),
                kind("permit", client -> {
                    client.getSemaphore("a").trySetPermits(1);
                    client.getSemaphore("a").tryAcquire();
                }));
    }

    private static Arguments kind(String name, Taking takes) {
        return Arguments.of(name, takes);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedKinds")
    void whatComparesDeadlinesIsRefusedWithTheReason(String name, Taking takes) {
        assertThatThrownBy(() -> takes.by(client))
                .isInstanceOfSatisfying(LockException.class, refusal -> assertThat(refusal.reason())
                        .isEqualTo(FailureReason.SCRIPT_REFUSED))
                .hasMessageContaining("compare deadlines by the server's own time")
                .hasMessageContaining("plain or fenced locks");
        assertThat(asked).hasValue(0);
    }

    private static long micros() {
        return TimeUnit.MILLISECONDS.toMicros(Instant.now().toEpochMilli());
    }
}
