package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** Very many at once: requests, health checks and contexts. Nothing is left of them. */
@RedisTest
@Tag("proof")
@Tag("once")
@Timeout(60)
@Tag("quiet")
class StarterCrowdTest {

    private static final String ENDPOINT = "/actuator/holdfast";

    private long threadsBefore;
    private int connectionsBefore;
    private RedisServer redis;

    @BeforeEach
    void look(RedisServer server) {
        redis = server;
        threadsBefore = threads();
        connectionsBefore = connections();
    }

    @AfterEach
    void nothingIsLeft() {
        await().untilAsserted(() -> assertThat(threads()).isEqualTo(threadsBefore));
        await().untilAsserted(() -> assertThat(connections()).isEqualTo(connectionsBefore));
    }

    private int connections() {
        try (RawRedis connection = redis.connect()) {
            return Integer.parseInt(connection.info("clients").get("connected_clients"));
        }
    }

    /** Several may have one name. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast"))
                .count();
    }

    private static <T> List<T> atOnce(int times, Callable<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(times);
        try {
            CountDownLatch all = new CountDownLatch(times);
            List<Future<T>> calls = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                calls.add(threads.submit(() -> {
                    all.countDown();
                    all.await();
                    return call.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : calls) {
                results.add(one.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void ofRequestsThatFreeOneLockAtOnceOneFindsItHeld() throws Exception {
        try (WebApplication application = WebApplication.start(
                List.of(), "holdfast.url=" + redis.url(), "management.endpoint.holdfast.access=unrestricted")) {
            LockClient client = application.context().getBean(LockClient.class);
            for (int round = 0; round < 2; round++) {
                LockHold hold = client.getLock("order:7").acquire();
                List<String> answers = atOnce(
                        30,
                        () -> application.send("DELETE", ENDPOINT + "/order:7").body());
                assertThat(answers)
                        .filteredOn(answer -> answer.contains("\"wasHeld\":true"))
                        .hasSize(1);
                assertThat(answers)
                        .filteredOn(answer -> answer.contains("\"wasHeld\":false"))
                        .hasSize(29);
                await().until(() -> hold.state() == HoldState.LOST);
            }
        }
    }

    @Test
    void aThousandHealthChecksAtOnceAreAnsweredOverTheSameConnections() {
        Starter.alone().withPropertyValues("holdfast.url=" + redis.url()).run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            assertThat(health.health(true).getStatus()).isEqualTo(Status.UP);
            int connections = connections();
            long threads = threads();
            assertThat(atOnce(1_000, () -> health.health(true)))
                    .extracting(Health::getStatus)
                    .containsOnly(Status.UP);
            assertThat(connections()).isEqualTo(connections);
            assertThat(threads()).isEqualTo(threads);
        });
    }

    /** Each has its own bound, and none waits for another one's. */
    @Test
    void aThousandHealthChecksOfAServerThatHangsAreDownTogether() {
        Starter.alone()
                .withPropertyValues("holdfast.url=" + redis.url(), "holdfast.command-timeout=1s")
                .run(context -> {
                    HealthIndicator health = context.getBean(HealthIndicator.class);
                    assertThat(health.health(true).getStatus()).isEqualTo(Status.UP);
                    Logger logger = (Logger) LoggerFactory.getLogger(LockClientHealth.class);
                    logger.setLevel(Level.OFF);
                    redis.pause();
                    long begun = System.nanoTime();
                    try {
                        assertThat(atOnce(1_000, () -> health.health(true)))
                                .extracting(Health::getStatus)
                                .containsOnly(Status.DOWN);
                    } finally {
                        redis.resume();
                        logger.setLevel(null);
                    }
                    assertThat((System.nanoTime() - begun) / 1e9).isLessThan(10);
                    await().until(() -> health.health(true).getStatus() == Status.UP);
                });
    }

    @Test
    void fiftyContextsInOneProcessAreClosedWithoutATrace() {
        openWithin(50);
    }

    /** So many contexts, each within the one before. */
    private void openWithin(int contexts) {
        Starter.alone().withPropertyValues("holdfast.url=" + redis.url()).run(context -> {
            context.getBean(LockClient.class).runLocked("shared", Duration.ofSeconds(20), hold -> {});
            if (contexts > 1) {
                openWithin(contexts - 1);
            }
        });
    }

    @Test
    void theEndpointIsAtTheManagementPortAlone() throws Exception {
        try (WebApplication application =
                WebApplication.start(List.of(), "holdfast.url=" + redis.url(), "management.server.port=0")) {
            LockClient client = application.context().getBean(LockClient.class);
            try (LockHold hold = client.getLock("order:7").acquire()) {
                assertThat(application.get(ENDPOINT + "/order:7").statusCode()).isEqualTo(404);
                assertThat(application.getManaged(ENDPOINT + "/order:7").body()).contains("\"locked\":true");
                assertThat(application.getManaged("/actuator/health").body()).contains("\"UP\"");
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
            }
        }
    }
}
