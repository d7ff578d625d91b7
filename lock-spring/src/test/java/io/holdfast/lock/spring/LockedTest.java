package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** The annotation on methods whose result is there when they return. */
@RedisTest
class LockedTest {

    private static AnnotationConfigApplicationContext context;
    private static LockClient client;
    private static LockClient other;
    private static Orders orders;

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableResilientMethods
    static class Application {

        @Bean
        Orders orders() {
            return new Orders();
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
        client = LockClient.connect(redis.url());
        other = LockClient.connect(redis.url());
        context = new AnnotationConfigApplicationContext();
        context.registerBean("locks", LockClient.class, () -> client);
        context.register(Application.class);
        context.refresh();
        orders = context.getBean(Orders.class);
    }

    @AfterAll
    static void stop() {
        context.close();
        client.close();
        other.close();
    }

    private static boolean isFree(String name) {
        return other.getLock(name)
                .tryAcquire()
                .map(hold -> {
                    hold.release();
                    return true;
                })
                .orElse(false);
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
        try (LockHold held = other.getLock("busy").tryAcquire().orElseThrow()) {
            assertThat(orders.skipped()).isEmpty();
            assertThat(orders.replaced(7, null)).isEqualTo("7 instead: busy");
            assertThatThrownBy(orders::refused)
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessage("lock 'busy' for Orders.refused: it was not granted within 20 ms");
            assertThat(held.validFor()).isGreaterThan(Duration.ZERO);
        }
        assertThat(orders.skipped()).contains("ran");
        assertThat(context.getBean(SkippedCalls.class).byMethod()).containsEntry("Orders.skipped", 1L);
    }

    @Test
    void isAroundRetriesAndLimits() {
        orders.retried(null);
        assertThat(Orders.tokensOfTries).hasSize(3);
        assertThat(Set.copyOf(Orders.tokensOfTries)).as("acquisitions").hasSize(1);
    }

    @Test
    void outsideOfACallNothingIsAsserted() {
        assertThatThrownBy(() -> LockAssert.assertLocked("order:1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("lock 'order:1': not held here (expected: within a call under it; held here: none)");
    }
}
