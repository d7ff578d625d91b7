package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** The annotation on methods whose result is there when they return. */
@RedisTest
class LockedTest {

    private static LockedApplication application;
    private static Orders orders;

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableResilientMethods
    @EnableCaching
    static class Application {

        @Bean
        CacheManager caches() {
            return new ConcurrentMapCacheManager();
        }

        @Bean
        Stock stock() {
            return new FinalStock();
        }

        @Bean
        Orders orders() {
            return new Orders();
        }
    }

    interface Stock {

        boolean isFreeWithin();
    }

    static final class FinalStock implements Stock {

        @Override
        @Locked("stock")
        public boolean isFreeWithin() {
            return isFree("stock");
        }
    }

    static class Orders {

        static final List<Long> tokensOfTries = new CopyOnWriteArrayList<>();

        @Locked("order:#{#id}")
        public <T> T within(String id, Callable<T> task) throws Exception {
            return task.call();
        }

        @Locked({"account:#{#from}", "account:#{#to}"})
        public <T> T transfer(String from, String to, Callable<T> task) throws Exception {
            return task.call();
        }

        @Locked("batch:#{#ids}")
        public long batch(List<Integer> ids, LockHold hold) {
            ids.forEach(id -> LockAssert.assertLocked("batch:" + id));
            return hold.fencingToken();
        }

        @Locked(value = "busy", waitFor = "0s", onTimeout = OnTimeout.SKIP)
        public Optional<String> skipped() {
            return Optional.of("ran");
        }

        @Locked(value = "busy", waitFor = "20ms")
        public String refused() {
            return "ran";
        }

        @Locked(value = "busy", waitFor = "0s", onTimeout = OnTimeout.FALLBACK, fallback = "instead")
        public String replaced(int number, LockHold hold) {
            return "ran";
        }

        private String instead(int number, LockTimeoutException why) {
            return number + " instead: " + why.name().orElseThrow();
        }

        static final AtomicInteger COMPUTED = new AtomicInteger();

        @Locked("cached")
        @Cacheable("values")
        public int cached() {
            return COMPUTED.incrementAndGet();
        }

        @Locked(value = "retried", name = "again")
        @Retryable(maxRetries = 2, delay = 1)
        @ConcurrencyLimit(1)
        public void retried(LockHold hold) {
            LockAssert.assertLocked("again");
            tokensOfTries.add(hold.fencingToken());
            if (tokensOfTries.size() < 3) {
                throw new IllegalStateException("again");
            }
        }
    }

    @BeforeAll
    static void start(RedisServer redis) {
        application = new LockedApplication(redis, Application.class);
        orders = application.bean(Orders.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static boolean isFree(String name) {
        return application.isFree(name);
    }

    @Test
    void holdsTheLockWhileItRunsAndNoLonger() throws Exception {
        assertThat(orders.within("1", () -> isFree("order:1"))).isFalse();
        assertThat(isFree("order:1")).isTrue();
        assertThatThrownBy(() -> orders.within("1", () -> {
                    throw new IllegalStateException("sold out");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("sold out")
                .hasNoSuppressedExceptions();
        assertThat(isFree("order:1")).isTrue();
    }

    @Test
    void joinsTheOuterHoldOnTheSameThread() throws Exception {
        assertThat(orders.within("2", () -> orders.within("2", () -> isFree("order:2"))))
                .isFalse();
        assertThat(isFree("order:2")).isTrue();
    }

    @Test
    void nothingIsJoinedOnAnotherThread() throws Exception {
        assertThatThrownBy(() ->
                        orders.within("5", () -> CompletableFuture.runAsync(() -> LockAssert.assertLocked("order:5"))
                                .get()))
                .hasCauseInstanceOf(IllegalStateException.class);
        LockTemplate impatient = application.bean(LockTemplate.class).waitFor(Duration.ZERO);
        assertThat(orders.within("5", () -> impatient.call("order:5", LockHold::state)))
                .isEqualTo(HoldState.HELD);
        assertThatThrownBy(() -> orders.within(
                        "5", () -> CompletableFuture.supplyAsync(() -> impatient.call("order:5", LockHold::state))
                                .get()))
                .hasCauseInstanceOf(LockTimeoutException.class);
    }

    @Test
    void takesSeveralKeysTogetherAndEqualOnesOnce() throws Exception {
        assertThat(orders.transfer("a", "b", () -> isFree("account:a") || isFree("account:b")))
                .isFalse();
        assertThat(orders.transfer("a", "a", () -> isFree("account:a"))).isFalse();
        String both = orders.transfer(
                "a",
                "b",
                () -> orders.transfer("b", "c", () -> {
                    LockAssert.assertLocked("account:c");
                    return isFree("account:b") ? "free" : "held";
                }));
        assertThat(both).isEqualTo("held");
        assertThat(isFree("account:a") && isFree("account:b") && isFree("account:c"))
                .isTrue();
        assertThat(orders.batch(List.of(1, 2, 3), null)).isPositive();
        assertThatThrownBy(() -> orders.batch(List.of(), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("@Locked on Orders.batch: key 'batch:#{#ids}': #{#ids} is an empty collection (expected: at"
                        + " least one element)");
    }

    @Test
    void neverRunsWithoutTheLock() {
        try (LockHold held = application.other.getLock("busy").tryAcquire().orElseThrow()) {
            assertThat(skippedTwice()).hasSize(1);
            assertThat(orders.replaced(7, null)).isEqualTo("7 instead: busy");
            assertThatThrownBy(orders::refused)
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessage("lock 'busy' for Orders.refused: it was not granted within 20 ms");
            assertThat(held.validFor()).isGreaterThan(Duration.ZERO);
        }
        assertThat(orders.skipped()).contains("ran");
        assertThat(application.bean(SkippedCalls.class).byMethod()).containsEntry("Orders.skipped", 2L);
    }

    private static List<ILoggingEvent> skippedTwice() {
        Logger logger = (Logger) LoggerFactory.getLogger(AnnotatedWork.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        try {
            assertThat(orders.skipped()).isEmpty();
            assertThat(orders.skipped()).isEmpty();
        } finally {
            logger.detachAppender(heard);
        }
        return heard.list;
    }

    @Test
    void aFinalClassIsLockedByItsInterface() {
        assertThat(application.bean(Stock.class).isFreeWithin()).isFalse();
        assertThat(isFree("stock")).isTrue();
    }

    @Test
    void isAroundRetriesAndLimits() {
        orders.retried(null);
        assertThat(Orders.tokensOfTries).hasSize(3);
        assertThat(Set.copyOf(Orders.tokensOfTries)).as("acquisitions").hasSize(1);
        Advised advised = (Advised) orders;
        assertThat(advised.getAdvisors().length).isGreaterThan(3);
        assertThat(advised.getAdvisors()[0].getAdvice()).isInstanceOf(LockedInterceptor.class);
    }

    /** Calls at the same time find what the first of them has computed, since each looks under the lock. */
    @Test
    void isAroundTheCache() {
        List<CompletableFuture<Integer>> all = Stream.generate(() -> CompletableFuture.supplyAsync(orders::cached))
                .limit(4)
                .toList();
        assertThat(all).allSatisfy(one -> assertThat(one.get()).isEqualTo(1));
        assertThat(Orders.COMPUTED).hasValue(1);
    }

    @Test
    void aNameThatIsTooLongIsRefusedWithTheMethod() {
        assertThatThrownBy(() -> orders.within("x".repeat(1_025 - "order:".length()), () -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@Locked on Orders.within")
                .hasMessageContaining("order:#{#id}")
                .hasMessageContaining("1025");
    }

    @Test
    void outsideOfACallNothingIsAsserted() {
        assertThatThrownBy(() -> LockAssert.assertLocked("order:1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("lock 'order:1': not held here (expected: within a call under it; held here: none)");
    }
}
