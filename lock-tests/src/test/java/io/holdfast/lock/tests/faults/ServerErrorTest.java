package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 11, 27, 28, and 30 to 33: the server answers, but not with what was asked for. */
@RedisTest
class ServerErrorTest {

    private static final Duration LEASE = Duration.ofSeconds(1);

    /** Row 11: what can't be written is not granted. */
    @Test
    void withTooFewReplicasNothingIsGrantedUntilThereAreEnough(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            LockHold hold = client.getLock("held").acquire();
            raw.command("CONFIG", "SET", "min-replicas-to-write", "1");
            assertThatThrownBy(() -> client.getLock("job").tryLock(300, TimeUnit.MILLISECONDS))
                    .isInstanceOfSatisfying(LockException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOREPLICAS));
            RFuture<LockHold> waiter = client.getLock("job").acquireAsync();
            assertThat(Stored.exists(raw, "job")).isFalse();
            raw.command("CONFIG", "SET", "min-replicas-to-write", "0");
            waiter.get(20, TimeUnit.SECONDS).close();
            hold.close();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Row 27: the scripts are forgotten while a lock is held and waited for. */
    @Test
    void forgottenScriptsAreLoadedAgainOnceAndNothingIsCountedTwice(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            lock.lock();
            lock.lock();
            lock.unlock();
            raw.command("SCRIPT", "FLUSH");
            raw.command("CONFIG", "RESETSTAT");

            lock.lock();
            assertThat(Stored.holdCount(raw, "job")).isEqualTo(2);
            List<RFuture<LockHold>> others = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                others.add(client.getLock("other-" + i).acquireAsync());
            }
            for (RFuture<LockHold> other : others) {
                other.get(5, TimeUnit.SECONDS).close();
            }
            lock.unlock();
            lock.unlock();

            assertThat(Stored.leftovers(raw)).isEmpty();
            assertThat(sourcesSent(raw))
                    .as("scripts: acquire, re-enter, lower, release")
                    .isLessThanOrEqualTo(4);
        }
    }

    private static long sourcesSent(RawRedis raw) {
        return raw.calls("eval") + raw.calls("script|load");
    }

    /** Row 28: within validity a busy server costs nothing but time. */
    @Test
    void aHoldSurvivesABusyServerThatIsFreedInTime(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("CONFIG", "SET", "lua-time-limit", "20");
        try (LockClient client = Clients.connect(redis.url())) {
            LockHold hold = client.getLock("held", Clients.watchdog(Duration.ofSeconds(3)))
                    .acquire();
            Background<Boolean> busy = Background.run(() -> keepBusy(redis));
            awaitBusy(raw);
            RFuture<Optional<LockHold>> waiter = client.getLock("job").tryAcquireAsync(Duration.ofSeconds(10));
            await().during(Duration.ofMillis(700)).until(() -> !waiter.isDone());
            raw.command("SCRIPT", "KILL");
            busy.result();

            waiter.get(3, TimeUnit.SECONDS).orElseThrow().close();
            assertThat(hold.state()).isNotEqualTo(HoldState.LOST);
            hold.close();
        }
    }

    /** Row 28: past validity the hold is lost, and calls say why they failed. */
    @Test
    void aHoldIsLostWhenTheServerIsBusyPastItsValidity(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("CONFIG", "SET", "lua-time-limit", "20");
        try (LockClient client = Clients.connect(redis.url())) {
            LockHold hold = client.getLock("held", Clients.watchdog(LEASE)).acquire();
            Background<Boolean> busy = Background.run(() -> keepBusy(redis));
            awaitBusy(raw);
            assertThatThrownBy(() -> client.getLock("job").tryLock())
                    .isInstanceOfSatisfying(
                            LockUnavailableException.class,
                            busyServer -> assertThat(busyServer.reason()).isEqualTo(FailureReason.BUSY));
            await().atMost(LEASE.multipliedBy(2)).until(() -> hold.state() == HoldState.LOST);
            raw.command("SCRIPT", "KILL");
            busy.result();
        }
    }

    private static void keepBusy(RedisServer redis) {
        try (RawRedis raw = redis.connect()) {
            assertThatThrownBy(() -> raw.command("EVAL", "while true do end", "0"))
                    .isInstanceOf(RedisErrorReply.class);
        }
    }

    private static void awaitBusy(RawRedis raw) {
        await().pollInSameThread().until(() -> {
            try {
                raw.command("GET", "anything");
                return false;
            } catch (RedisErrorReply busy) {
                return busy.getMessage().startsWith("BUSY");
            }
        });
    }

    /** Row 30: a server that has become a replica is asked again until the wait is over, or it is a master once more. */
    @Test
    void aReplicaIsRefusedAndAskedAgain(RedisServer redis, RawRedis raw) throws Exception {
        replicaIsAskedAgain(redis, raw, FailureReason.READONLY);
    }

    /** Row 30: a replica that has lost its master. */
    @Test
    void aReplicaWithoutMasterIsRefusedAndAskedAgain(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("CONFIG", "SET", "replica-serve-stale-data", "no");
        replicaIsAskedAgain(redis, raw, FailureReason.MASTERDOWN);
    }

    private static void replicaIsAskedAgain(RedisServer redis, RawRedis raw, FailureReason reason) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            lock.lock();
            lock.unlock();
            raw.command("REPLICAOF", "127.0.0.1", "1");
            try {
                assertThatThrownBy(lock::tryLock)
                        .isInstanceOfSatisfying(LockUnavailableException.class, refused -> assertThat(refused.reason())
                                .isEqualTo(reason));
                RFuture<Optional<LockHold>> waiter = lock.tryAcquireAsync(Duration.ofSeconds(10));
                await().during(Duration.ofMillis(300)).until(() -> !waiter.isDone());
                raw.command("REPLICAOF", "NO", "ONE");
                waiter.get(5, TimeUnit.SECONDS).orElseThrow().close();
                assertThat(Stored.leftovers(raw)).isEmpty();
            } finally {
                raw.command("REPLICAOF", "NO", "ONE");
            }
        }
    }

    /** A replica does not write, and that is no answer to a call that leaves its place (rule 45). */
    @Test
    void aPlaceThatAReplicaKeepsIsGivenBackOnceItIsAPrimaryAgain(RedisServer redis, RawRedis raw) throws Exception {
        String queue = "holdfast:{job}:queue";
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getFairLock("job");
            LockHold held = lock.acquireAsync().get(5, TimeUnit.SECONDS);
            RFuture<Optional<LockHold>> waiter = lock.tryAcquireAsync(Duration.ofSeconds(30));
            await().until(() -> raw.integer("ZCARD", queue) == 1);
            raw.command("REPLICAOF", "127.0.0.1", "1");
            try {
                waiter.cancel(false);
                await().during(Duration.ofMillis(300)).until(() -> raw.integer("ZCARD", queue) == 1);
            } finally {
                raw.command("REPLICAOF", "NO", "ONE");
            }
            await().atMost(Duration.ofSeconds(5)).until(() -> raw.integer("ZCARD", queue) == 0);
            held.close();
        }
    }

    /** Row 31. */
    @ParameterizedTest
    @EnumSource(KeyScheme.class)
    void withMemoryFullAcquiringFailsAndReleasingAndRenewingWork(KeyScheme scheme, RedisServer redis, RawRedis raw)
            throws Exception {
        LockOptions options =
                LockOptions.builder().keyScheme(scheme).watchdogLease(LEASE).build();
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job", options);
            LockHold hold = client.getLock("held", options).acquire();
            lock.lock();
            lock.lock();
            lock.lock();
            raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            raw.command("CONFIG", "SET", "maxmemory", "1");
            long owner = Thread.currentThread().getId();

            assertThatThrownBy(() -> client.getLock("new", options).tryLock(5, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(LockServerException.class, full -> assertThat(full.reason())
                            .isEqualTo(FailureReason.OOM));
            lock.unlock();
            await().during(LEASE.multipliedBy(2))
                    .atMost(LEASE.multipliedBy(4))
                    .until(() -> lock.isHeldByThread(owner) && hold.state() == HoldState.HELD);
            lock.unlock();
            lock.unlock();
            hold.close();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Row 32: the policy takes the lock and the clock of its tokens. */
    @Test
    void anEvictedLockIsLostAndItsNextTokenIsGreater(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        try (LockClient client = Clients.connect(redis.url())) {
            LockHold hold = client.getLock("job", Clients.watchdog(Duration.ofSeconds(3)))
                    .acquire();
            long token = hold.fencingToken();
            raw.command("CONFIG", "SET", "maxmemory", "1");
            await().atMost(Duration.ofSeconds(20)).until(() -> raw.integer("DBSIZE") == 0);
            raw.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(hold.lost()
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS)
                            .reason())
                    .isEqualTo(LossReason.KEY_GONE);
            assertThat(Long.parseLong(raw.info("stats").get("evicted_keys"))).isPositive();
            try (LockHold next = client.getLock("job").acquire()) {
                assertThat(next.fencingToken()).isGreaterThan(token);
            }
        }
    }

    /** Row 33: those who are connected stay so; newcomers back off and get in later. */
    @Tag("proof")
    @Test
    void withNoClientAdmittedHeldLocksKeepTheirConnection(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            LockHold hold = client.getLock("held", Clients.watchdog(LEASE)).acquire();
            raw.command(
                    "CONFIG",
                    "SET",
                    "maxclients",
                    Integer.toString(raw.clients().size()));
            assertThatThrownBy(() -> LockClient.connect(
                            redis.url(),
                            Clients.quick()
                                    .connectTimeout(Duration.ofMillis(500))
                                    .build()))
                    .isInstanceOfSatisfying(LockException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.MAXCLIENTS));
            try (LockClient lazy =
                    LockClient.connect(redis.url(), Clients.quick().lazy(true).build())) {
                RFuture<Optional<LockHold>> waiter = lazy.getLock("job").tryAcquireAsync(Duration.ofSeconds(10));
                await().during(LEASE.multipliedBy(2))
                        .atMost(LEASE.multipliedBy(4))
                        .until(() -> hold.state() == HoldState.HELD && !waiter.isDone());
                raw.command("CONFIG", "SET", "maxclients", "10000");
                waiter.get(5, TimeUnit.SECONDS).orElseThrow().close();
            }
            hold.close();
        }
    }
}
