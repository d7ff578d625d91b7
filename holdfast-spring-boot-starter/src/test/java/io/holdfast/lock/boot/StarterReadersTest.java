package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.alone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.boot.ClientView.Held;
import io.holdfast.lock.boot.ClientView.Waiting;
import io.holdfast.lock.boot.HoldfastEndpoint.Freed;
import io.holdfast.lock.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the endpoint says of readers, of permits and of those that wait in the server's queue, and that force ends all readers and no
 * permit.
 */
@Tag("proof")
class StarterReadersTest {

    @Test
    void readersAndTheQueueAreShownAndForceFreesAll() {
        withEndpoint((client, endpoint) -> {
            RReadWriteLock stock = client.getReadWriteLock("stock");
            List<LockHold> readers =
                    List.of(stock.readLock().acquire(), stock.readLock().acquire());
            RFuture<LockHold> writer = stock.writeLock().acquireAsync();
            await().until(() -> client.inspect("stock").queue().size() == 1);

            LockView shown = (LockView) endpoint.look("stock", null);
            assertThat(shown.locked()).isTrue();
            assertThat(shown.holders()).hasSize(2).allMatch(LockView.Holder::reads);
            assertThat(shown.queue()).hasSize(1).allMatch(owner -> owner.startsWith(client.id()));
            assertThat(shown.holders()).extracting(LockView.Holder::owner).doesNotContainAnyElementsOf(shown.queue());

            ClientView own = own(endpoint);
            assertThat(own.holds()).extracting(Held::kind).containsExactly("READ", "READ");
            assertThat(own.waiters()).extracting(Waiting::kind).containsExactly("WRITE");

            assertThat(endpoint.free("stock", null)).isEqualTo(new Freed("stock", true));
            assertThat(readers).extracting(LockHold::state).containsOnly(HoldState.LOST);
            try (LockHold next = writer.get(5, TimeUnit.SECONDS)) {
                assertThat(next.state()).isEqualTo(HoldState.HELD);
            }
            assertThat(endpoint.free("stock", null)).isEqualTo(new Freed("stock", false));
        });
    }

    @Test
    void permitsAreShownAsSuchAndNotAtTheLockOfThatName() {
        withEndpoint((client, endpoint) -> {
            RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore("slots");
            slots.setPermits(2);
            List<LockHold> permits = slots.tryAcquireHolds(2, Duration.ZERO, Duration.ofMinutes(1));
            RFuture<String> next = slots.acquireAsync();
            await().until(() -> !client.waiters().isEmpty());

            ClientView own = own(endpoint);
            assertThat(own.holds()).extracting(Held::kind).containsExactly("PERMIT", "PERMIT");
            assertThat(own.waiters()).extracting(Waiting::kind).containsExactly("PERMIT");
            LockView shown = (LockView) endpoint.look("slots", null);
            assertThat(shown.locked()).isFalse();
            assertThat(shown.holders()).isEmpty();
            assertThat(shown.queue()).isEmpty();

            assertThat(endpoint.free("slots", null)).isEqualTo(new Freed("slots", false));
            assertThat(permits).extracting(LockHold::state).containsOnly(HoldState.HELD);
            permits.forEach(LockHold::close);
            slots.release(next.get(5, TimeUnit.SECONDS));
        });
    }

    private interface Steps {
        void run(LockClient client, HoldfastEndpoint endpoint) throws Exception;
    }

    /** Runs an application that shows its endpoint, at a server of its own. */
    private static void withEndpoint(Steps steps) {
        try (RedisServer redis = RedisServer.start()) {
            alone().withPropertyValues(
                            "holdfast.url=" + redis.url(), "management.endpoints.web.exposure.include=holdfast")
                    .run(context ->
                            steps.run(context.getBean(LockClient.class), context.getBean(HoldfastEndpoint.class)));
        }
    }

    private static ClientView own(HoldfastEndpoint endpoint) {
        return ((Map<?, ?>) endpoint.look(null, null))
                .values().stream().map(ClientView.class::cast).findFirst().orElseThrow();
    }
}
