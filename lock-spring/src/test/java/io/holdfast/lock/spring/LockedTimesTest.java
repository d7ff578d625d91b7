package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** How long locks are kept, and what happens to those that wait for them or lose them. */
@RedisTest
@Tag("proof")
class LockedTimesTest {

    private LockClient client;
    private LockClient other;
    private LockTemplate locks;

    @BeforeEach
    void connect(RedisServer redis) {
        client = LockClient.connect(redis.url());
        other = LockClient.connect(redis.url());
        locks = new LockTemplate(client);
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
    }

    private boolean isFree(String name) {
        return other.getLock(name)
                .tryAcquire()
                .map(hold -> {
                    hold.release();
                    return true;
                })
                .orElse(false);
    }

    @Test
    void aLeastTimeOutlivesTheCallAndIsGivenBackWhenItIsOver() {
        long begin = System.nanoTime();
        locks.atLeast(Duration.ofMillis(700)).run("brief", hold -> {});
        assertThat(isFree("brief")).isFalse();
        await().until(() -> isFree("brief"));
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(700), Duration.ofSeconds(10));
        assertThat(client.isClosed()).isFalse();
    }

    @Test
    void aLeastTimeOutlivesTheClient() {
        locks.atLeast(Duration.ofSeconds(40)).run("daily", hold -> {});
        client.close();
        assertThat(other.getLock("daily").remainTimeToLive()).isGreaterThan(39_000);
    }

    @Test
    void aLeastTimeOutlivesTheClientInTheMiddleOfTheCall() {
        assertThatThrownBy(() -> locks.atLeast(Duration.ofSeconds(40)).run("nightly", hold -> client.close()))
                .isInstanceOf(LockLostException.class);
        assertThat(other.getLock("nightly").remainTimeToLive()).isGreaterThan(39_000);
    }

    @Test
    void aCallThatTakesLongerThanTheLeaseIsExtended() throws Exception {
        Duration lease = Duration.ofMillis(900);
        LockHold hold = client.getLock("long").tryAcquire(Duration.ZERO, lease).orElseThrow();
        MinimumTime minimum = new MinimumTime(hold, Duration.ofMillis(1), true, lease);
        minimum.begin();
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (System.nanoTime() < end) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
        }
        minimum.end();
        await().until(() -> isFree("long"));
    }

    @Test
    void anInterruptStopsTheCallAndDoesNotOutliveIt() {
        LockTemplate interrupting = locks.onLost(OnLost.INTERRUPT);
        assertThatThrownBy(() -> interrupting.run("stop", hold -> {
                    client.getLock("stop").forceUnlock();
                    new CountDownLatch(1).await();
                }))
                .isInstanceOf(LockLostException.class)
                .satisfies(lost -> assertThat(lost.getSuppressed()).hasSize(1))
                .satisfies(lost -> assertThat(lost.getSuppressed()[0]).isInstanceOf(InterruptedException.class));
        assertThat(Thread.interrupted()).isFalse();
        for (int i = 0; i < 300; i++) {
            CompletableFuture<Void> forced = new CompletableFuture<>();
            try {
                interrupting.run(
                        "stop",
                        hold -> forced.completeAsync(() -> {
                            client.getLock("stop").forceUnlock();
                            return null;
                        }));
            } catch (LockLostException lost) {
                assertThat(lost.lossReason()).isNotNull();
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            forced.join();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void aWaitThatIsInterruptedEndsWithTheFlagSet() throws Exception {
        try (LockHold held = other.getLock("i").tryAcquire().orElseThrow()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> locks.run("i", hold -> {})).isInstanceOf(LockInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(held.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void withoutAServerNothingRuns(RedisServer redis) {
        redis.kill();
        AtomicInteger runs = new AtomicInteger();
        try {
            assertThatThrownBy(() -> locks.waitFor(Duration.ZERO).run("gone", hold -> runs.incrementAndGet()))
                    .isInstanceOfAny(LockUnavailableException.class, LockOutcomeUnknownException.class);
            assertThat(runs).hasValue(0);
        } finally {
            redis.restart();
        }
    }

    @Test
    void aCallReturnsSoonThoughItsReleaseFindsNoServer(RedisServer redis) {
        Runnable blocking = () -> locks.run("left", hold -> redis.kill());
        Runnable reactive = () -> new ReactiveLockTemplate(locks)
                .mono("left", hold -> Mono.fromRunnable(redis::kill))
                .block();
        for (Runnable call : List.of(blocking, reactive)) {
            long begin = System.nanoTime();
            call.run();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
            redis.restart();
            await().ignoreExceptions().until(() -> isFree("left"));
        }
    }

    static class Patient {

        @Locked(
                value = "gone",
                waitFor = "0s",
                onTimeout = OnTimeout.SKIP,
                onUnavailable = OnUnavailable.FALLBACK,
                fallback = "instead")
        public @Nullable String run() {
            return "ran";
        }

        private @Nullable String instead(LockException why) {
            return why.getClass().getSimpleName();
        }
    }

    @Test
    void withoutAServerTheFallbackRuns(RedisServer redis) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(
                    "locks", LockClient.class, () -> client, definition -> definition.setDestroyMethodName(""));
            context.registerBean(Patient.class);
            context.register(Locking.class);
            context.refresh();
            Patient patient = context.getBean(Patient.class);
            assertThat(patient.run()).isEqualTo("ran");
            redis.kill();
            assertThat(patient.run()).isIn("LockUnavailableException", "LockOutcomeUnknownException");
        } finally {
            redis.restart();
        }
    }

    @EnableLocks
    static class Locking {}

    static class Job {

        static final AtomicInteger RUNS = new AtomicInteger();

        @Scheduled(fixedRate = 100)
        @Locked(value = "tick", waitFor = "0s", onTimeout = OnTimeout.SKIP, atLeast = "1min")
        public void tick() {
            RUNS.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableScheduling
    static class Scheduling {

        @Bean
        Job job() {
            return new Job();
        }
    }

    private static AnnotationConfigApplicationContext node(RedisServer redis) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean("locks", LockClient.class, () -> LockClient.connect(redis.url()));
        context.register(Scheduling.class);
        context.refresh();
        return context;
    }

    @Test
    void aScheduledJobRunsOnceInTheFleetAlsoIfItsNodeIsClosed(RedisServer redis) {
        Job.RUNS.set(0);
        AnnotationConfigApplicationContext first = node(redis);
        AnnotationConfigApplicationContext second = node(redis);
        await().until(() -> first.getBean(SkippedCalls.class).count() > 3
                && second.getBean(SkippedCalls.class).count() > 3);
        first.close();
        long before = second.getBean(SkippedCalls.class).count();
        await().until(() -> second.getBean(SkippedCalls.class).count() > before + 3);
        second.close();
        assertThat(Job.RUNS).hasValue(1);
        assertThat(other.getLock("tick").remainTimeToLive()).isPositive();
    }
}
