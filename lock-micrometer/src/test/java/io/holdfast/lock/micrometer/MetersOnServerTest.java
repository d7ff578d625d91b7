package io.holdfast.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Meters and observations of clients that lock on a real server. */
@RedisTest
@Tag("proof")
class MetersOnServerTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestObservationRegistry observations = TestObservationRegistry.create();

    @Test
    void handOversAreOutcomesOfTheirOwnAndHoldsLikeAllOthers(RedisServer redis) throws Exception {
        LockMeters meters = LockMeters.of(registry);
        try (LockClient client = meters.watch(connect(redis, meters))) {
            RLock lock = client.getLock("stock");
            lock.lock();
            List<Thread> waiters = Stream.generate(() -> new Thread(() -> {
                        for (int i = 0; i < 50; i++) {
                            lock.lock();
                            lock.unlock();
                        }
                    }))
                    .limit(3)
                    .toList();
            waiters.forEach(Thread::start);
            await().untilAsserted(
                            () -> assertThat(gauge("holdfast.lock.waiters")).isEqualTo(3));
            assertThat(gauge("holdfast.lock.active")).isEqualTo(1);
            lock.unlock();
            for (Thread waiter : waiters) {
                waiter.join();
            }
            await().untilAsserted(() -> {
                assertThat(waits("granted") + waits("handed.over")).isEqualTo(151);
                assertThat(holds("released")).isEqualTo(151);
            });
            assertThat(waits("handed.over")).isPositive();
            assertThat(waits("granted")).isPositive();
            assertThat(gauge("holdfast.lock.active")).isZero();
            assertThat(gauge("holdfast.lock.waiters")).isZero();
        }
    }

    @Test
    void refusalsTimeoutsAndInterruptsAreToldApart(RedisServer redis) throws Exception {
        LockMeters meters = LockMeters.of(registry);
        try (LockClient holder = connect(redis, LockListener.NONE);
                LockClient client = connect(redis, meters)) {
            holder.getLock("stock").lock();
            RLock lock = client.getLock("stock");
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
            Thread interrupted = new Thread(() -> {
                try {
                    lock.lockInterruptibly();
                } catch (InterruptedException expected) {
                    Thread.currentThread().interrupt();
                }
            });
            interrupted.start();
            await().until(() -> !client.waiters().isEmpty());
            interrupted.interrupt();
            await().untilAsserted(() -> {
                assertThat(waits("refused")).isEqualTo(2);
                assertThat(waits("timeout")).isEqualTo(1);
            });
            assertThat(waits("error")).isZero();
        }
    }

    @Test
    void aLossIsCountedByItsReasonAndRenewalsAreTimed(RedisServer redis) {
        LockMeters meters = LockMeters.of(registry);
        try (LockClient other = connect(redis, LockListener.NONE);
                LockClient client = connect(redis, meters)) {
            client.getLock("stock").lock();
            await().untilAsserted(() -> assertThat(registry.get("holdfast.lock.renewal")
                            .tag("outcome", "renewed")
                            .timer()
                            .count())
                    .isPositive());
            other.getLock("stock").forceUnlock();
            await().untilAsserted(() -> {
                assertThat(registry.get("holdfast.lock.lost")
                                        .tag("reason", "forced")
                                        .counter()
                                        .count()
                                + registry.get("holdfast.lock.lost")
                                        .tag("reason", "key.gone")
                                        .counter()
                                        .count())
                        .isEqualTo(1);
                assertThat(holds("lost")).isEqualTo(1);
            });
        }
    }

    @Test
    void twoClientsOfOneRegistryAreSummedUpAndAClosedOneLeaves(RedisServer redis) {
        LockMeters meters = LockMeters.of(registry);
        try (LockClient first = meters.watch(connect(redis, meters))) {
            LockClient second = meters.watch(connect(redis, meters));
            first.getLock("a").lock();
            second.getLock("b").lock();
            assertThat(gauge("holdfast.lock.active")).isEqualTo(2);
            assertThat(commands("holdfast.client.connections")).isEqualTo(2);
            second.close();
            assertThat(gauge("holdfast.lock.active")).isEqualTo(1);
            assertThat(commands("holdfast.client.connections")).isEqualTo(1);
            first.getLock("a").unlock();
        }
        gauge("holdfast.lock.active");
        meters.watch(new TestClient().client);
        assertThat(registry.find("holdfast.client.connections").gauges()).isEmpty();
    }

    @Test
    void aServerThatComesBackIsAReconnect(RedisServer redis) {
        LockMeters meters = LockMeters.of(registry);
        try (LockClient client = meters.watch(connect(redis, meters))) {
            client.getLock("a").lock();
            assertThat(commands("holdfast.client.connections")).isEqualTo(1);
            redis.restart();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(registry.get("holdfast.client.reconnects")
                                    .tag("purpose", "commands")
                                    .counter()
                                    .count())
                            .isEqualTo(1));
            assertThat(registry.get("holdfast.client.failovers")
                            .tag("purpose", "commands")
                            .counter()
                            .count())
                    .isZero();
        }
    }

    @Test
    void holdsOfAsynchronousCallsAreChildrenOfTheCallersObservation(RedisServer redis) throws Exception {
        try (LockClient client = connect(redis, LockObservations.of(observations))) {
            Observation caller = Observation.start("caller", observations);
            LockHold hold;
            try (Observation.Scope inside = caller.openScope()) {
                hold = client.getLock("stock")
                        .acquireAsync()
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS);
            }
            caller.stop();
            hold.releaseAsync().toCompletableFuture().get(10, TimeUnit.SECONDS);
            await().untilAsserted(() -> TestObservationRegistryAssert.assertThat(observations)
                    .hasObservationWithNameEqualTo("holdfast.lock.hold")
                    .that()
                    .hasBeenStopped()
                    .hasParentObservationEqualTo(caller)
                    .hasHighCardinalityKeyValue("holdfast.lock.token", String.valueOf(hold.fencingToken())));
            TestObservationRegistryAssert.assertThat(observations)
                    .hasObservationWithNameEqualTo("holdfast.lock.acquire")
                    .that()
                    .hasBeenStopped()
                    .hasParentObservationEqualTo(caller)
                    .hasLowCardinalityKeyValue("holdfast.lock.outcome", "granted");
        }
    }

    @Test
    void metersAndObservationsHearTheSameLocks(RedisServer redis) {
        LockMeters meters = LockMeters.of(registry);
        try (LockClient client = connect(redis, LockListener.of(meters, LockObservations.of(observations)))) {
            for (int i = 0; i < 100; i++) {
                client.getLock("stock").lock();
                client.getLock("stock").unlock();
            }
            await().untilAsserted(() -> {
                assertThat(waits("granted")).isEqualTo(100);
                assertThat(holds("released")).isEqualTo(100);
                TestObservationRegistryAssert.assertThat(observations)
                        .hasNumberOfObservationsWithNameEqualTo("holdfast.lock.acquire", 100)
                        .hasNumberOfObservationsWithNameEqualTo("holdfast.lock.hold", 100)
                        .forAllObservationsWithNameEqualTo(
                                "holdfast.lock.hold",
                                observation ->
                                        observation.hasLowCardinalityKeyValue("holdfast.lock.outcome", "released"));
            });
        }
    }

    @Test
    void whatWasNotToldYetIsToldWhenAClientIsClosed(RedisServer redis) {
        LockMeters meters = LockMeters.of(registry);
        for (int client = 0; client < 20; client++) {
            try (LockClient brief = connect(redis, meters)) {
                for (int i = 0; i < 10; i++) {
                    brief.getLock("stock").lock();
                    brief.getLock("stock").unlock();
                }
            }
        }
        await().untilAsserted(() -> {
            assertThat(waits("granted")).isEqualTo(200);
            assertThat(holds("released")).isEqualTo(200);
        });
    }

    private static LockClient connect(RedisServer redis, LockListener listener) {
        return LockClient.connect(
                redis.url(),
                ClientOptions.builder()
                        .commandTimeout(Duration.ofSeconds(10))
                        .lockOptions(LockOptions.builder()
                                .watchdogLease(Duration.ofSeconds(3))
                                .listener(listener)
                                .build())
                        .build());
    }

    private long waits(String outcome) {
        return registry.get("holdfast.lock.wait")
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    private long holds(String outcome) {
        return registry.get("holdfast.lock.hold")
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double commands(String name) {
        return registry.get(name).tag("purpose", "commands").gauge().value();
    }
}
