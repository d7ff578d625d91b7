package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
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

    @Test
    void aWrongPasswordIsRefusedAtOnce(RedisServer redis, RawRedis raw) {
        for (String user : new String[] {"app:wrong-canary", "nobody:wrong-canary"}) {
            assertThatThrownBy(() -> Clients.connect(redis.url().replace("redis://", "redis://" + user + "@")))
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.WRONGPASS))
                    .hasMessageNotContaining("canary");
        }
        assertThat(connectionsBesides(raw)).isZero();
    }

    @Test
    void aMissingPasswordIsRefusedAtOnce(RedisServer redis, RawRedis raw) {
        raw.command("ACL", "SETUSER", "default", "resetpass", ">secret");
        try {
            assertThatThrownBy(() -> Clients.connect(redis.url()))
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOAUTH));
        } finally {
            raw.command("ACL", "SETUSER", "default", "nopass");
        }
    }

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

    private static long connectionsBesides(RawRedis raw) {
        return raw.clients().size() - 1L;
    }
}
