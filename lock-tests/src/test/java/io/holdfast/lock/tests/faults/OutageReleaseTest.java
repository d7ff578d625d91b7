package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Releases while the server is gone: they keep their caller for one command timeout, and spare what it takes next. */
@RedisTest
@Tag("proof")
class OutageReleaseTest {

    private FaultProxy proxy;
    private LockClient client;

    /** How a server is gone, and what a release is told then. */
    enum Outage {
        /** Perhaps it is on its way when the connection is cut: then its outcome is not known. */
        REFUSED(LockException.class, proxy -> {
            proxy.refuse();
            proxy.cutAll();
        }),
        HANGING(LockOutcomeUnknownException.class, FaultProxy::holdRequests);

        final Class<? extends LockException> told;
        final Consumer<FaultProxy> begin;

        Outage(Class<? extends LockException> told, Consumer<FaultProxy> begin) {
            this.told = told;
            this.begin = begin;
        }
    }

    @BeforeEach
    void connect(RedisServer redis) {
        proxy = FaultProxy.to(redis);
        client = Clients.connect(proxy.url());
    }

    @AfterEach
    void close() {
        client.close();
        proxy.close();
    }

    @ParameterizedTest
    @CsvSource({"REFUSED,HOLDFAST", "REFUSED,REDISSON", "HANGING,HOLDFAST", "HANGING,REDISSON"})
    void aThreadThatTakesTheLockAgainKeepsIt(Outage outage, KeyScheme scheme, RawRedis raw) throws Exception {
        RLock lock =
                client.getLock("job", LockOptions.builder().keyScheme(scheme).build());
        lock.lock();
        lock.lock();
        outage.begin.accept(proxy);

        for (int level = 2; level > 0; level--) {
            assertThat(lock.getHoldCount()).isEqualTo(level);
            long begin = System.nanoTime();
            assertThatThrownBy(lock::unlock).isInstanceOf(outage.told);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Clients.COMMAND_TIMEOUT.plusMillis(400));
        }
        assertThat(lock.getHoldCount()).isZero();

        proxy.heal();
        lock.lock();
        lock.lock();
        // Longer than any pause before a release is tried again.
        long owner = Thread.currentThread().getId();
        await().during(Duration.ofSeconds(2)).until(() -> lock.isLocked() && lock.isHeldByThread(owner));
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.unlock();
        assertThat(lock.isLocked()).isTrue();
        lock.unlock();
        assertThat(Stored.leftovers(raw)).isEmpty();
    }
}
