package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary and a replica without Sentinel: the client finds the primary by what the servers say. */
class ReplicasTest {

    private ReplicatedPair pair;
    private RedisServer first;
    private RedisServer second;

    @BeforeEach
    void pair() {
        pair = ReplicatedPair.start();
        first = pair.primary();
        second = pair.replicas().get(0);
    }

    @AfterEach
    void end() {
        pair.close();
    }

    @Test
    void thePrimaryIsFoundWhereverItIsListed() {
        for (String url : new String[] {urls(first, second), urls(second, first)}) {
            try (LockClient client = Clients.connect(url)) {
                assertHolds(client, first);
            }
        }
    }

    @Test
    void theSuccessorIsTakenThoughTheStalePrimaryIsAhead() {
        pair.promote(second);
        try (RawRedis raw = first.connect()) {
            for (int i = 0; i < 100; i++) {
                raw.command("SET", "filler", "x".repeat(100));
            }
        }
        assertThat(replication(first)).contains("role:master");
        for (String url : new String[] {urls(first, second), urls(second, first)}) {
            try (LockClient client = Clients.connect(url)) {
                assertHolds(client, second);
            }
        }
    }

    @Test
    void aClientMovesWhenItsPrimaryDies() {
        try (LockClient client = Clients.connect(urls(first, second))) {
            assertHolds(client, first);
            pair.promote(second);
            first.kill();
            assertHolds(client, second);
        }
    }

    @Test
    void aClientMovesWhenItsPrimaryIsDemoted() {
        try (LockClient client = Clients.connect(urls(first, second))) {
            assertHolds(client, first);
            pair.promote(second);
            pair.follow(first);
            assertHolds(client, second);
        }
    }

    /** Two clients are at the successor; one of them is cut off while the successor stands still for a moment. */
    @Test
    void aClientDoesNotGoBackToAPrimaryThatWasSucceeded() throws Exception {
        pair.promote(second);
        try (LockClient holder = Clients.connect(urls(first, second));
                LockClient other = Clients.connect(urls(first, second))) {
            holder.getLock("stock").lock();
            try (RawRedis raw = second.connect()) {
                raw.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            }
            second.pause();
            assertThatThrownBy(() -> other.getLock("stock").tryLock()).isInstanceOf(LockException.class);
            second.resume();
            assertThat(other.getLock("stock").tryLock(300, TimeUnit.MILLISECONDS))
                    .isFalse();
            try (RawRedis stale = first.connect()) {
                assertThat(stale.integer("EXISTS", "holdfast:{stock}")).isZero();
            }
            holder.getLock("stock").unlock();
        }
    }

    /** Acquiring a lock that is held writes nothing, so a demoted server would say "held" for ever. */
    @Test
    @Tag("proof")
    void aWaiterLeavesADemotedServerThatAnswers() throws Exception {
        try (LockClient holder = Clients.connect(urls(first, second));
                LockClient waiter = Clients.connect(urls(first, second))) {
            holder.getLock("stock").lock(1, TimeUnit.HOURS);
            pair.awaitInStep();
            pair.promote(second);
            try (RawRedis raw = second.connect()) {
                raw.command("DEL", "holdfast:{stock}");
            }
            try (RawRedis raw = first.connect()) {
                raw.command("REPLICAOF", "127.0.0.1", "1");
            }
            assertThat(waiter.getLock("stock").tryLock(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aPrimaryThatStandsStillIsNotWaitedForLong() {
        pair.promote(second);
        first.pause();
        try (LockClient client = Clients.connect(urls(first, second))) {
            assertHolds(client, second);
        } finally {
            first.resume();
        }
    }

    @Test
    void withoutAPrimaryTheMessageTellsWhatEachServerIs() {
        try (RawRedis raw = first.connect()) {
            raw.command("REPLICAOF", second.host(), "" + second.port());
        }
        assertThatThrownBy(() -> LockClient.connect(
                        urls(first, second),
                        Clients.quick().connectTimeout(Duration.ofMillis(800)).build()))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContainingAll(
                        "no server is known to be the primary",
                        "127.0.0.1:" + first.port() + " is a replica",
                        "127.0.0.1:" + second.port() + " is a replica");
    }

    @Test
    void aWrongPasswordIsSaidAtOnce() {
        String url = urls(first, second).replace("://", "://app:canary@");
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.WRONGPASS))
                .hasMessageNotContaining("canary");
    }

    @Test
    void whatTheServersTookBeforeIsSaidWhereTheyRefuseWhatIsNew() {
        for (RedisServer server : List.of(first, second)) {
            try (RawRedis raw = server.connect()) {
                raw.command("ACL", "SETUSER", "app", "on", ">one", "+@all", "~*", "&*");
            }
        }
        AtomicReference<String> password = new AtomicReference<>("one");
        ClientOptions options = Clients.quick()
                .credentials(() -> CompletableFuture.completedFuture(Credentials.of("app", password.get())))
                .build();
        try (LockClient client = LockClient.connect(urls(first, second), options);
                RawRedis raw = first.connect()) {
            assertHolds(client, first);
            password.set("too early");
            raw.command("CLIENT", "KILL", "USER", "app");
            assertHolds(client, first);
        }
    }

    private static void assertHolds(LockClient client, RedisServer server) {
        client.getLock("stock").lock();
        try (RawRedis raw = server.connect()) {
            assertThat(raw.integer("EXISTS", "holdfast:{stock}")).isOne();
        }
        client.getLock("stock").unlock();
    }

    private static String replication(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.text("INFO", "replication");
        }
    }

    private static String urls(RedisServer one, RedisServer other) {
        return "redis-replicas://" + one.host() + ":" + one.port() + "," + other.host() + ":" + other.port();
    }
}
