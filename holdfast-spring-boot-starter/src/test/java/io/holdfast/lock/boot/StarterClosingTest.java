package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What runs under a lock when the application is closed, and how long closing takes. */
@RedisTest
@Tag("proof")
@Timeout(60)
class StarterClosingTest {

    @Test
    void aWebRequestEndsUnderItsLock(RedisServer redis) throws Exception {
        WebApplication application =
                WebApplication.start(List.of(Moment.class, Web.class), "holdfast.url=" + redis.url());
        Moment moment = application.context().getBean(Moment.class);
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return application.get("/sell").body();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        assertThat(closedWhileLocked(application.context(), moment)).isEqualTo("HELD");
        assertThat(answer.join()).isEqualTo("HELD");
        assertNothingIsHeld(redis);
    }

    @Test
    void aScheduledTaskEndsUnderItsLock(RedisServer redis) throws Exception {
        WebApplication application =
                WebApplication.start(List.of(Moment.class, Jobs.class), "holdfast.url=" + redis.url());
        Moment moment = application.context().getBean(Moment.class);
        assertThat(closedWhileLocked(application.context(), moment)).isEqualTo("HELD");
        assertNothingIsHeld(redis);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void aScheduledTaskOnAVirtualThreadEndsUnderItsLock(RedisServer redis) throws Exception {
        WebApplication application = WebApplication.start(
                List.of(Moment.class, Jobs.class),
                "holdfast.url=" + redis.url(),
                "spring.threads.virtual.enabled=true");
        Moment moment = application.context().getBean(Moment.class);
        assertThat(closedWhileLocked(application.context(), moment)).isEqualTo("HELD");
        assertNothingIsHeld(redis);
    }

    @Test
    void aServerThatHangsTakesNoMoreThanThePhase(RedisServer redis) throws Exception {
        WebApplication application = WebApplication.start(
                List.of(),
                "holdfast.url=" + redis.url(),
                "holdfast.clients.batch.url=" + redis.url(),
                "holdfast.command-timeout=20s",
                "holdfast.clients.batch.command-timeout=20s",
                "spring.lifecycle.timeout-per-shutdown-phase=500ms");
        LockClient client = application.context().getBean("lockClient", LockClient.class);
        LockHold hold = client.getLock("order:1").acquire();
        LockClient batch = application.context().getBean("batchLockClient", LockClient.class);
        assertThat(batch.getLock("report").tryLock()).isTrue();
        redis.pause();
        try {
            long begin = System.nanoTime();
            application.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
            assertThat(client.isClosed()).isTrue();
            assertThat(hold.state()).hasToString("LOST");
        } finally {
            redis.resume();
        }
    }

    /** Closes the context while the moment lasts, and lets that go on only when closing is on its way. */
    private static String closedWhileLocked(ConfigurableApplicationContext context, Moment moment) throws Exception {
        moment.entered.await();
        CountDownLatch closing = new CountDownLatch(1);
        context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> closing.countDown());
        Thread closer = new Thread(context::close);
        closer.start();
        closing.await();
        LockClient client =
                ((GenericApplicationContext) context).getBeanFactory().getBean(LockClient.class);
        await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(5)).until(() -> !client.isClosed());
        moment.goOn.countDown();
        closer.join();
        assertThat(client.isClosed()).isTrue();
        return moment.stateAtTheEnd.join();
    }

    private static void assertNothingIsHeld(RedisServer redis) {
        try (LockClient other = LockClient.connect(redis.url())) {
            assertThat(other.getLock("order:1").tryLock()).isTrue();
        }
    }

    static class Moment {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final CompletableFuture<String> stateAtTheEnd = new CompletableFuture<>();

        String lasts(LockHold hold) {
            entered.countDown();
            try {
                goOn.await();
            } catch (InterruptedException interrupted) {
                stateAtTheEnd.complete("interrupted");
                throw new IllegalStateException(interrupted);
            }
            String state = hold.state().name();
            stateAtTheEnd.complete(state);
            return state;
        }
    }

    @RestController
    static class Web {

        private final Moment moment;
        private final LockClient client;

        Web(Moment moment, LockClient client) {
            this.moment = moment;
            this.client = client;
        }

        @GetMapping("/sell")
        String sell() throws InterruptedException {
            try (LockHold hold = client.getLock("order:1").acquire()) {
                return moment.lasts(hold);
            }
        }
    }

    @EnableScheduling
    static class Jobs {

        private final Moment moment;
        private final LockClient client;

        Jobs(Moment moment, LockClient client) {
            this.moment = moment;
            this.client = client;
        }

        @Scheduled(fixedDelay = 10)
        void run() throws InterruptedException {
            try (LockHold hold = client.getLock("order:1").acquire()) {
                moment.lasts(hold);
            }
        }
    }
}
