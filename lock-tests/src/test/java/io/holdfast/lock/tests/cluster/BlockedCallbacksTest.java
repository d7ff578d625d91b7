package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.Futures;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a connection needs of its user's code never waits behind callbacks. */
@Tag("proof")
class BlockedCallbacksTest extends ClusterTest {

    /** All threads that a client has for callbacks; from JDK 24 on there are more. */
    private static final int ALL = 256;

    @Test
    void aClientWhoseCallbacksAllBlockConnectsAgain() throws Exception {
        AtomicInteger mapped = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        LockClient client = connect(patient()
                .addressMapper(announced -> {
                    mapped.incrementAndGet();
                    return announced;
                })
                .credentials(CredentialsProvider.supplier(() -> {
                    asked.incrementAndGet();
                    return Credentials.of("default", "any");
                }))
                .build());
        List<String> names = oneOfEach();
        LockHold held = client.getLock(names.get(0)).acquire();
        CountDownLatch end = new CountDownLatch(1);
        opening(end::countDown);
        AtomicInteger blocked = new AtomicInteger();
        RFuture<Boolean> known = client.getLock(names.get(0)).isLockedAsync();
        for (int i = 0; i < ALL; i++) {
            known.toCompletableFuture().thenRunAsync(() -> {
                blocked.incrementAndGet();
                Futures.await(end);
            });
        }
        await().until(() -> blocked.get() == ALL);
        int mappedBefore = mapped.get();
        int askedBefore = asked.get();
        for (RedisServer master : cluster.masters()) {
            try (RawRedis raw = master.connect()) {
                raw.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                raw.command("CLIENT", "KILL", "TYPE", "pubsub");
            }
        }

        for (String name : names.subList(1, names.size())) {
            assertThat(client.getLock(name).tryLock(5, TimeUnit.SECONDS)).isTrue();
            client.getLock(name).unlock();
        }
        assertThat(mapped.get()).isGreaterThan(mappedBefore);
        assertThat(asked.get()).isGreaterThan(askedBefore);
        assertThat(held.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
        held.release();
    }
}
