package io.holdfast.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Meters and observations of fair and of read/write locks, and of permits: each reader and each permit is a hold, and each call of either
 * view a call.
 */
@RedisTest
class FamilyMetersTest {

    private static final String NAME = "stock";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestObservationRegistry observations = TestObservationRegistry.create();

    @Test
    void readersAreHoldsOfTheirOwnAndBothViewsAreOneLock(RedisServer redis) throws Exception {
        try (LockClient client = metered(redis)) {
            RReadWriteLock stock = client.getReadWriteLock(NAME);
            List<LockHold> readers =
                    List.of(stock.readLock().acquire(), stock.readLock().acquire());
            assertThat(gauge("active")).isEqualTo(2);
            assertThat(stock.writeLock().tryLock()).isFalse();
            RFuture<LockHold> writer = stock.writeLock().acquireAsync();
            await().until(() -> client.inspect(NAME).queue().size() == 1);
            RFuture<LockHold> third = stock.readLock().acquireAsync();
            RFuture<LockHold> fair = client.getFairLock(NAME).acquireAsync();
            await().until(() -> client.inspect(NAME).queue().size() == 3);
            assertThat(gauge("active")).as("a reader does not pass the writer").isEqualTo(2);
            assertThat(gauge("waiters")).isEqualTo(3);

            readers.forEach(LockHold::release);
            LockHold written = writer.get(5, TimeUnit.SECONDS);
            assertThat(gauge("active")).isOne();
            assertThat(gauge("waiters")).isEqualTo(2);
            written.release();
            third.get(5, TimeUnit.SECONDS).release();
            fair.get(5, TimeUnit.SECONDS).release();
            assertThat(gauge("active") + gauge("waiters")).isZero();

            await().untilAsserted(() -> {
                assertThat(count("wait", "granted")).isEqualTo(5);
                assertThat(count("wait", "refused")).isOne();
                assertThat(count("hold", "released")).isEqualTo(5);
                TestObservationRegistryAssert.assertThat(observations)
                        .hasNumberOfObservationsWithNameEqualTo("holdfast.lock.acquire", 6)
                        .hasNumberOfObservationsWithNameEqualTo("holdfast.lock.hold", 5)
                        .doesNotHaveAnyRemainingCurrentObservation();
            });
            assertThat(count("wait", "handed.over"))
                    .as("the server says who is next")
                    .isZero();
        }
    }

    /** So the counters of what began and of what ended agree. */
    @Test
    void eachPermitIsAHoldAndWantedByACallOfItsOwn(RedisServer redis) throws Exception {
        try (LockClient client = metered(redis)) {
            RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore(NAME);
            RSemaphore ofClient = client.getSemaphore(NAME);
            slots.setPermits(3);
            List<String> two = slots.acquire(2);
            ofClient.acquire();
            assertThat(gauge("active")).isEqualTo(3);
            assertThat(slots.tryAcquire(2)).isEmpty();
            RFuture<List<String>> all = slots.acquireAsync(3);
            await().until(() -> !client.waiters().isEmpty());
            assertThat(gauge("waiters")).as("one call, of three permits").isOne();
            slots.release(two);
            ofClient.release();
            slots.release(all.get(5, TimeUnit.SECONDS));
            assertThat(gauge("active") + gauge("waiters")).isZero();

            await().untilAsserted(() -> {
                assertThat(count("wait", "granted")).isEqualTo(6);
                assertThat(count("wait", "refused")).isEqualTo(2);
                assertThat(count("hold", "released")).isEqualTo(6);
                TestObservationRegistryAssert.assertThat(observations)
                        .hasNumberOfObservationsWithNameEqualTo("holdfast.lock.acquire", 8)
                        .hasNumberOfObservationsWithNameEqualTo("holdfast.lock.hold", 6)
                        .doesNotHaveAnyRemainingCurrentObservation();
            });
        }
    }

    private LockClient metered(RedisServer redis) {
        LockMeters meters = LockMeters.of(registry, LockNameTag.exact(NAME));
        LockListener both = LockListener.of(meters, LockObservations.of(observations));
        ClientOptions options = ClientOptions.builder()
                .lockOptions(LockOptions.builder().listener(both).build())
                .build();
        return meters.watch(LockClient.connect(redis.url(), options));
    }

    private double gauge(String what) {
        return registry.get("holdfast.lock." + what).tag("lock", NAME).gauge().value();
    }

    private long count(String what, String outcome) {
        return registry.get("holdfast.lock." + what)
                .tag("lock", NAME)
                .tag("outcome", outcome)
                .timer()
                .count();
    }
}
