package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.alone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServers;
import io.holdfast.lock.testkit.ServerCluster;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;

/** Health goes by whether the store answers. */
@Tag("proof")
@Timeout(60)
class StarterHealthTest {

    @Test
    void aServerThatAnswersIsUpWithItsNodeAndTheRoundTrip() {
        try (RedisServer redis = RedisServer.start()) {
            alone().withPropertyValues("holdfast.url=" + redis.url()).run(context -> {
                Health health = health(context);
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails().get("nodes")).asString().contains(String.valueOf(redis.port()));
                assertThat(health.getDetails().get("roundTrip")).asString().endsWith("s");
            });
        }
    }

    @Test
    void aServerThatIsGoneIsDownAndUpAgainLater() {
        try (RedisServer redis = RedisServer.start()) {
            alone().withPropertyValues("holdfast.url=" + redis.url()).run(context -> {
                redis.kill();
                await().atMost(Duration.ofSeconds(20)).until(() -> isDownWithin(context, Duration.ofSeconds(5)));
                redis.restart();
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> health(context).getStatus() == Status.UP);
            });
        }
    }

    /** A load balancer asks every few seconds, and does not wait half a minute for an answer. */
    @Test
    void aServerThatHangsIsDownSoon() {
        try (RedisServer redis = RedisServer.start()) {
            alone().withPropertyValues("holdfast.url=" + redis.url()).run(context -> {
                redis.pause();
                try {
                    assertThat(isDownWithin(context, Duration.ofSeconds(5))).isTrue();
                } finally {
                    redis.resume();
                }
            });
        }
    }

    @Test
    void aQuorumIsUpWithAMajorityAndDownWithout() {
        try (RedisServers redis = RedisServers.start(3)) {
            alone().withPropertyValues("holdfast.urls=" + String.join(",", redis.urls()))
                    .run(context -> {
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        redis.get(0).kill();
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        redis.get(1).kill();
                        await().atMost(Duration.ofSeconds(20))
                                .until(() -> isDownWithin(context, Duration.ofSeconds(5)));
                    });
        }
    }

    @Test
    void aClusterIsUpWithAllPrimariesAndDownWithoutOne() {
        try (ServerCluster cluster = ServerCluster.builder()
                .replicas(0)
                .nodes(node -> node.option("cluster-require-full-coverage", "no"))
                .start()) {
            alone().withPropertyValues("holdfast.url=" + cluster.url()).run(context -> {
                Health health = health(context);
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails().get("nodes"))
                        .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                        .containsExactlyInAnyOrderElementsOf(
                                cluster.nodes().stream().map(cluster::addressOf).toList());
                for (RedisServer node : cluster.nodes()) {
                    node.pause();
                    assertThat(isDownWithin(context, Duration.ofSeconds(9))).isTrue();
                    node.resume();
                    cluster.awaitSettled();
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> health(context).getStatus() == Status.UP);
                }
            });
        }
    }

    @Test
    void aLostHoldIsNoMatterOfHealth() {
        try (RedisServer redis = RedisServer.start()) {
            alone().withPropertyValues("holdfast.url=" + redis.url()).run(context -> {
                LockClient client = context.getBean(LockClient.class);
                LockHold hold = client.getLock("report").acquire();
                client.getLock("report").forceUnlock();
                await().until(() -> hold.state().name().equals("LOST"));
                assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            });
        }
    }

    private static boolean isDownWithin(ApplicationContext context, Duration bound) {
        long begin = System.nanoTime();
        Status status = health(context).getStatus();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(bound);
        return status.equals(Status.DOWN);
    }

    private static Health health(ApplicationContext context) {
        return context.getBean(HealthIndicator.class).health(true);
    }
}
