package io.holdfast.lock.tests.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A primary and two replicas of which some are away, slow or promoted: what becomes of a lock that they do not confirm. */
@Tag("proof")
class UnconfirmedLockTest {

    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final Duration AGES = Duration.ofSeconds(25);

    private ReplicatedPair group;
    private RawRedis raw;

    @BeforeEach
    void start() {
        group = ReplicatedPair.start(2);
        raw = group.primary().connect();
        awaitOnLine(2);
    }

    @AfterEach
    void stop() {
        raw.close();
        group.replicas().forEach(UnconfirmedLockTest::goOn);
        group.close();
    }

    private static void goOn(RedisServer server) {
        if (server.isAlive()) {
            server.resume();
        }
    }

    @Test
    void oneOfTwoIsEnoughWhereOneIsWanted() throws Exception {
        group.replicas().get(0).pause();
        try (LockClient client = waiting(1, AGES)) {
            RLock lock = client.getLock("job");
            assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
            lock.unlock();
        }
    }

    @Test
    void oneOfTwoIsTooFewWhereBothAreWanted() {
        try (LockClient client = waiting(2, BRIEF)) {
            useOnce(client);
            group.replicas().get(0).pause();
            assertThatThrownBy(() -> client.getLock("job").tryLock(20, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(LockUnavailableException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOREPLICAS))
                    .hasMessageContaining("1 of 2 replicas confirmed within 100 ms");
            assertNothingIsLeft();
        }
    }

    /** What the connection wrote before is confirmed: the write of this round makes the difference. */
    @Test
    void whatNoReplicaHasIsRefusedThoughTheyHadAllBefore() {
        try (LockClient client = waiting(1, BRIEF)) {
            useOnce(client);
            awaitAcknowledged();
            group.replicas().forEach(RedisServer::pause);
            assertThatThrownBy(() -> client.getLock("job").lock())
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("0 of 1 replica confirmed within 100 ms");
            assertThatThrownBy(() -> client.getLock("job").tryLock())
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("0 of 1 replica confirmed within 100 ms");
            assertNothingIsLeft();
        }
    }

    @Test
    void oneThatLagsIsWaitedForWhereBothAreWanted() throws Exception {
        RedisServer lagging = group.replicas().get(0);
        lagging.pause();
        try (LockClient client = waiting(2, AGES)) {
            RLock lock = client.getLock("job");
            Background<Boolean> caller = Background.call(() -> lock.tryLock(20, TimeUnit.SECONDS));
            awaitBlocked();
            assertThat(caller.isDone()).isFalse();
            assertThat(Stored.exists(raw, "job")).isTrue();
            lagging.resume();
            assertThat(caller.result()).isTrue();
        }
    }

    @Test
    void fewerConnectedThanWantedAreNotWaitedFor() throws Exception {
        group.replicas().get(0).kill();
        awaitOnLine(1);
        try (LockClient client = waiting(2, AGES)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> client.getLock("job").tryLock(20, TimeUnit.SECONDS))
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("1 of 2 replicas are connected and in step (expected: 2 or more");
            }
            assertThat(raw.calls("wait")).isZero();
            assertNothingIsLeft();
            group.replicas().get(0).restart();
            group.awaitInStep();
            RLock lock = client.getLock("job");
            patiently()
                    .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                    .until(() -> lock.tryLock());
        }
    }

    @Test
    void afterAPromotionTheReplicasOfTheNewPrimaryAreCounted() throws Exception {
        RedisServer old = group.primary();
        RedisServer promoted = group.replicas().get(0);
        RedisServer third = group.replicas().get(1);
        try (LockClient client = LockClient.connect(
                group.url(), Clients.quick().waitForReplicas(1, AGES).build())) {
            useOnce(client);
            group.promote(promoted);
            old.kill();
            RLock lock = client.getLock("job");
            patiently().untilAsserted(() -> assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS))
                    .hasMessageContaining("0 of 1 replica is connected and in step"));
            try (RawRedis there = promoted.connect()) {
                assertThat(there.calls("wait")).isZero();
            }
            group.follow(third);
            patiently().ignoreExceptionsInstanceOf(LockException.class).until(() -> lock.tryLock());
        }
    }

    @Test
    void otherLocksGoOnWhileReplicasAreWaitedFor() throws Exception {
        try (LockClient client = waiting(1, AGES)) {
            RLock held = client.getLock("held");
            held.lock();
            group.replicas().forEach(RedisServer::pause);
            RFuture<LockHold> unconfirmed = client.getLock("job").acquireAsync();
            awaitBlocked();

            assertThat(held.tryLock()).isTrue();
            held.unlock();
            held.unlock();
            assertThat(client.inspect("held").holders()).isEmpty();
            assertThat(unconfirmed.isDone()).isFalse();
            group.replicas().forEach(RedisServer::resume);
            unconfirmed.get(20, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void aHandOverReturnsAtOnceAndItsReceiverWaits() throws Exception {
        try (LockClient client = waiting(1, AGES)) {
            RLock lock = client.getLock("job");
            lock.lock();
            Background<Boolean> receiver = Background.call(() -> {
                boolean granted = lock.tryLock(20, TimeUnit.SECONDS);
                lock.unlock();
                return granted;
            });
            receiver.awaitParked();
            group.replicas().forEach(RedisServer::pause);
            lock.unlock();
            awaitBlocked();
            assertThat(receiver.isDone()).isFalse();
            group.replicas().forEach(RedisServer::resume);
            assertThat(receiver.result()).isTrue();
            assertNothingIsLeft();
        }
    }

    @Test
    void aHandOverThatIsNotConfirmedIsRefusedAndFreesTheLock() throws Exception {
        try (LockClient client = waiting(1, Duration.ofSeconds(4))) {
            RLock lock = client.getLock("job");
            lock.lock();
            Background<Boolean> receiver = Background.call(() -> lock.tryLock(20, TimeUnit.SECONDS));
            receiver.awaitParked();
            group.replicas().forEach(RedisServer::pause);
            lock.unlock();
            assertThatThrownBy(receiver::result)
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("0 of 1 replica confirmed");
            assertNothingIsLeft();
        }
    }

    @Test
    void aCallThatIsGivenUpMeanwhileLeavesNothing() throws Exception {
        try (LockClient client = waiting(1, AGES)) {
            useOnce(client);
            group.replicas().forEach(RedisServer::pause);
            RFuture<LockHold> cancelled = client.getLock("cancelled").acquireAsync();
            Background<Boolean> interrupted =
                    Background.call(() -> client.getLock("interrupted").tryLock(20, TimeUnit.SECONDS));
            patiently().until(() -> Stored.exists(raw, "cancelled") && Stored.exists(raw, "interrupted"));
            cancelled.cancel(true);
            interrupted.interrupt();
            assertThatThrownBy(interrupted::result).isInstanceOf(InterruptedException.class);
            assertNothingIsLeft();
        }
    }

    @Test
    void aClientThatIsClosedMeanwhileLeavesNothing() throws Exception {
        LockClient client = waiting(1, AGES);
        useOnce(client);
        group.replicas().forEach(RedisServer::pause);
        RFuture<LockHold> closed = client.getLock("job").acquireAsync();
        awaitBlocked();
        client.close();
        assertThatThrownBy(() -> closed.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LockClientClosedException.class);
        assertNothingIsLeft();
        patiently().until(() -> raw.clients().stream().noneMatch(each -> "wait".equals(each.get("cmd"))));
    }

    @Test
    void aLeaseThatEndedMeanwhileIsNotHandedOut() throws Exception {
        try (LockClient client = waiting(1, AGES)) {
            useOnce(client);
            group.replicas().forEach(RedisServer::pause);
            Background<Boolean> caller =
                    Background.call(() -> client.getLock("job").tryLock(20_000, 300, TimeUnit.MILLISECONDS));
            awaitBlocked();
            patiently().until(() -> !Stored.exists(raw, "job"));
            group.replicas().forEach(RedisServer::resume);
            assertThatThrownBy(caller::result)
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("the grant came when its lease was over");
        }
    }

    /** The server ends the WAIT, and its connection. */
    @Test
    void aPrimaryThatIsDemotedMeanwhileEndsTheWaitAtOnce() {
        try (LockClient client = waiting(1, AGES)) {
            useOnce(client);
            group.replicas().forEach(RedisServer::pause);
            RFuture<LockHold> waiting = client.getLock("job").acquireAsync();
            awaitBlocked();
            raw.command("REPLICAOF", group.primary().host(), "1");
            assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockUnavailableException.class);
        }
    }

    /** Also a call whose place is in the server's queue, where the other's is here. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOwnersOtherCallIsNotRefusedBecauseOfItsOwnGrant(boolean inOrder) throws Exception {
        try (LockClient client = waiting(1, AGES)) {
            useOnce(client);
            RLock lock = client.getLock("job");
            group.replicas().forEach(RedisServer::pause);
            RFuture<Void> first = lock.lockAsync(17);
            awaitBlocked();
            long evaluated = raw.calls("evalsha");
            RFuture<Boolean> second = (inOrder ? client.getFairLock("job") : lock).tryLockAsync(17);
            patiently().until(() -> raw.calls("evalsha") > evaluated);
            assertThat(second.isDone()).isFalse();
            group.replicas().forEach(RedisServer::resume);
            first.get(20, TimeUnit.SECONDS);
            assertThat(second.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Stored.holdCount(raw, "job")).isEqualTo(2);
        }
    }

    /** The earlier grant was freed by force before its replicas were heard: its call asks anew. The later one stands in the server's queue. */
    @Test
    void aGrantThatALaterOneExcludesIsAskedForAnew() throws Exception {
        try (LockClient client = waiting(1, AGES)) {
            useOnce(client);
            RLock later = client.getFairLock("job");
            group.replicas().forEach(RedisServer::pause);
            RFuture<Void> first = client.getLock("job").lockAsync(17);
            awaitBlocked();
            raw.command("DEL", Stored.key("job"));
            RFuture<Void> second = later.lockAsync(18);
            patiently().until(() -> Stored.exists(raw, "job"));
            group.replicas().forEach(RedisServer::resume);
            second.get(20, TimeUnit.SECONDS);
            assertThat(first.isDone()).isFalse();
            later.unlockAsync(18).get(20, TimeUnit.SECONDS);
            first.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void withoutTheRightToWaitCallsFailAndNothingIsLeft() {
        raw.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-wait");
        String url = "redis://app:pw@" + group.primary().host() + ":"
                + group.primary().port();
        try (LockClient client =
                LockClient.connect(url, Clients.quick().waitForReplicas(1, AGES).build())) {
            assertThatThrownBy(() -> client.getLock("job").tryLock(20, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOPERM));
            assertNothingIsLeft();
        }
    }

    @Test
    void withoutTheRightToInfoCallsFailAndNothingIsLeft() {
        raw.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-info");
        String url = "redis://app:pw@" + group.primary().host() + ":"
                + group.primary().port();
        try (LockClient client =
                LockClient.connect(url, Clients.quick().waitForReplicas(1, AGES).build())) {
            assertThatThrownBy(() -> client.getLock("job").tryLock(20, TimeUnit.SECONDS))
                    .isInstanceOf(LockServerException.class)
                    .hasMessageContaining("the server does not tell its run id (expected: the right to INFO");
            assertNothingIsLeft();
        }
    }

    /** A primary takes a moment longer than its replica to see that it is in step. */
    private void awaitOnLine(long replicas) {
        patiently().until(() -> onLine(raw) == replicas);
    }

    static long onLine(RawRedis primary) {
        return primary.info("replication").values().stream()
                .filter(value -> value.contains("state=online"))
                .count();
    }

    /** Until the primary knows that the replicas have all that it has. */
    private void awaitAcknowledged() {
        patiently().until(() -> {
            Map<String, String> info = raw.info("replication");
            String all = "offset=" + info.get("master_repl_offset") + ",";
            return info.values().stream().filter(value -> value.contains(all)).count() == 2;
        });
    }

    private LockClient waiting(int replicas, Duration timeout) {
        ClientOptions options =
                Clients.quick().waitForReplicas(replicas, timeout).build();
        return LockClient.connect(group.primary().url(), options);
    }

    /** From now on the connection is there on which replicas are waited for. */
    private static void useOnce(LockClient client) {
        patiently()
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .untilAsserted(() -> client.getLock("first").acquire().close());
    }

    private void awaitBlocked() {
        patiently().until(() -> raw.clients().stream()
                .anyMatch(each ->
                        "wait".equals(each.get("cmd")) && each.get("flags").contains("b")));
    }

    private void assertNothingIsLeft() {
        patiently().untilAsserted(() -> assertThat(Stored.leftovers(raw)).isEmpty());
    }

    static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(10));
    }
}
