package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 34: a wrong password, a changed one, fewer rights, a deleted user: typed errors and no storm of retries. */
@RedisTest
class CredentialsTest {

    private String url;

    @BeforeEach
    void addUser(RedisServer redis, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">canary-5a17", "+@all", "~*", "&*");
        url = redis.url().replace("redis://", "redis://app:canary-5a17@");
    }

    @Tag("proof")
    @Test
    void aChangedPasswordIsNoticedNextTimeAndTriedAgainInMeasure(RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(url)) {
            RLock lock = client.getLock("job");
            lock.lock();
            lock.unlock();
            raw.command("ACL", "SETUSER", "app", "resetpass", ">rotated");
            raw.command("CLIENT", "KILL", "USER", "app");
            raw.command("CONFIG", "RESETSTAT");

            await().pollInSameThread().until(() -> reasonOfRefusal(lock) == FailureReason.WRONGPASS);
            await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(4)).until(() -> true);
            long handshakes = Math.max(raw.calls("auth"), raw.calls("hello"));
            assertThat(handshakes)
                    .as("handshakes in 2 s with pauses of up to 200 ms")
                    .isBetween(1L, 60L);

            raw.command("ACL", "SETUSER", "app", ">canary-5a17");
            await().pollInSameThread().until(() -> reasonOfRefusal(lock) == null);
            assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
            lock.unlock();
        }
    }

    @Test
    void aDeletedUserGetsATypedError(RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(url)) {
            LockHold hold = client.getLock("held", Clients.watchdog(Duration.ofSeconds(1)))
                    .acquire();
            raw.command("ACL", "DELUSER", "app");
            await().pollInSameThread().until(() -> reasonOfRefusal(client.getLock("job")) == FailureReason.WRONGPASS);
            await().atMost(Duration.ofSeconds(2)).until(() -> hold.state() == HoldState.LOST);
        }
    }

    /** The right goes while requests are on their way: an acquisition, a release, and the renewals of a hold. */
    @Tag("proof")
    @Test
    void aRightThatIsTakenAwayInFlightIsToldAndEndsNothingForGood(RedisServer redis, RawRedis raw) throws Exception {
        LockOptions watched = Clients.watchdog(Duration.ofSeconds(2));
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient client = LockClient.connect(
                        proxy.url().replace("redis://", "redis://app:canary-5a17@"),
                        Clients.quick().commandTimeout(Duration.ofSeconds(20)).build())) {
            LockHold held = client.getLock("held", watched).acquire();
            LockHold released = client.getLock("released", watched).acquire();
            proxy.holdRequests();
            RFuture<LockHold> acquiring = client.getLock("job").acquireAsync();
            RFuture<Void> releasing = released.releaseAsync();
            raw.command("ACL", "SETUSER", "app", "-evalsha", "-eval");
            proxy.heal();

            assertRefused(acquiring);
            assertRefused(releasing);
            assertThat(held.lost()
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS)
                            .reason())
                    .isEqualTo(LossReason.NOT_RENEWED);
            assertThat(Stored.exists(raw, "job")).isFalse();

            raw.command("ACL", "SETUSER", "app", "+evalsha", "+eval");
            for (String name : new String[] {"held", "released", "job"}) {
                client.getLock(name).acquireAsync().get(20, TimeUnit.SECONDS).close();
            }
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    private static void assertRefused(RFuture<?> call) {
        assertThatThrownBy(() -> Futures.get(call))
                .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.NOPERM));
    }

    @Test
    void aRightThatWasTakenAwayGivesATypedErrorAtOnce(RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(url)) {
            RLock lock = client.getLock("job");
            lock.lock();
            lock.unlock();
            raw.command("ACL", "SETUSER", "app", "resetkeys", "~other:*");
            long startNanos = System.nanoTime();
            assertThatThrownBy(() -> lock.tryLock(10, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOPERM));
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(2));
        }
    }

    private static FailureReason reasonOfRefusal(RLock lock) {
        try {
            if (lock.tryLock()) {
                lock.unlock();
            }
            return null;
        } catch (LockException refused) {
            return refused.reason();
        }
    }
}
