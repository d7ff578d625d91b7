package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** A scheduled job whose node is closed a second after it has begun: no other node runs it for {@code atLeast}. */
@RedisTest
@Tag("proof")
@Tag("once")
class LockedAtLeastTest {

    private static final Duration AT_LEAST = Duration.ofSeconds(30);

    /** When each job has begun, of all nodes, as {@link System#nanoTime} tells it. */
    private static final List<Long> BRIEF = new CopyOnWriteArrayList<>();

    private static final List<Long> UNFINISHED = new CopyOnWriteArrayList<>();

    static class Jobs {

        @Scheduled(fixedRate = 100)
        @Locked(value = "brief", waitFor = "0s", onTimeout = OnTimeout.SKIP, atLeast = "30s")
        public void brief() {
            BRIEF.add(System.nanoTime());
        }

        /** Is at work until its node is closed. */
        @Scheduled(fixedRate = 100)
        @Locked(value = "unfinished", waitFor = "0s", onTimeout = OnTimeout.SKIP, atLeast = "30s")
        public void unfinished() throws InterruptedException {
            UNFINISHED.add(System.nanoTime());
            new CountDownLatch(1).await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableScheduling
    static class Node {

        @Bean
        Jobs jobs() {
            return new Jobs();
        }

        @Bean
        ThreadPoolTaskScheduler taskScheduler() {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setPoolSize(2);
            return scheduler;
        }

        /** Closing does not wait for the job that never ends. */
        @Bean
        DefaultLifecycleProcessor lifecycleProcessor() {
            DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
            processor.setTimeoutPerShutdownPhase(100);
            return processor;
        }
    }

    private static AnnotationConfigApplicationContext node(RedisServer redis) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean("locks", LockClient.class, () -> LockClient.connect(redis.url()));
        context.register(Node.class);
        context.refresh();
        return context;
    }

    private static Duration between(List<Long> runs) {
        return Duration.ofNanos(runs.get(1) - runs.get(0));
    }

    @Test
    void noSecondRunFollowsWithinTheLeastTime(RedisServer redis) {
        AnnotationConfigApplicationContext first = node(redis);
        try (AnnotationConfigApplicationContext second = nodeOnceBothRun(redis)) {
            long begun = Math.max(BRIEF.get(0), UNFINISHED.get(0));
            await().until(() ->
                    System.nanoTime() - begun > Duration.ofSeconds(1).toNanos());
            first.close();
            assertThat(BRIEF).hasSize(1);
            assertThat(UNFINISHED).hasSize(1);

            // The lease covers the least time and ends not much later, so the other node goes on.
            await().atMost(AT_LEAST.plusSeconds(20)).until(() -> BRIEF.size() == 2 && UNFINISHED.size() == 2);
            assertThat(between(BRIEF)).isGreaterThanOrEqualTo(AT_LEAST);
            assertThat(between(UNFINISHED)).isGreaterThanOrEqualTo(AT_LEAST);
            assertThat(second.getBean(SkippedCalls.class).count()).isGreaterThan(100);
        } finally {
            first.close();
        }
    }

    /** The second node, which comes when the first has both locks. */
    private static AnnotationConfigApplicationContext nodeOnceBothRun(RedisServer redis) {
        await().until(() -> BRIEF.size() == 1 && UNFINISHED.size() == 1);
        return node(redis);
    }
}
