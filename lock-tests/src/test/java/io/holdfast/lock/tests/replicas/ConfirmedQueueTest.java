package io.holdfast.lock.tests.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.Leader;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Grants of locks with a queue, of permits and of terms, and claims of what is kept for a call whose turn it is, wait for replicas too
 * (rules 42, 85).
 */
@Tag("proof")
class ConfirmedQueueTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String PERMITS = Stored.key("job") + ":permits";

    /** As what a lock is wanted. */
    enum Kind {
        FAIR {
            @Override
            RLock of(LockClient client) {
                return client.getFairLock("job");
            }
        },
        READ {
            @Override
            RLock of(LockClient client) {
                return client.getReadWriteLock("job").readLock();
            }
        },
        WRITE {
            @Override
            RLock of(LockClient client) {
                return client.getReadWriteLock("job").writeLock();
            }
        };

        abstract RLock of(LockClient client);
    }

    private ReplicatedPair pair;
    private RawRedis primary;
    private LockClient holder;

    @BeforeEach
    void start() {
        pair = ReplicatedPair.start();
        ConfirmedLockTest.awaitOnLine(pair);
        primary = pair.primary().connect();
        holder = Clients.connect(pair.primary().url());
    }

    @AfterEach
    void stop() {
        pair.replicas().get(0).resume();
        holder.close();
        primary.close();
        pair.close();
    }

    private LockClient waiting(Duration longest) {
        return LockClient.connect(
                pair.primary().url(),
                Clients.quick().waitForReplicas(1, longest).build());
    }

    @ParameterizedTest
    @EnumSource
    void aGrantIsAtTheReplica(Kind kind) throws Exception {
        try (LockClient client = waiting(LONG);
                RawRedis replica = pair.replicas().get(0).connect()) {
            long before = primary.calls("wait");
            RLock lock = kind.of(client);
            assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Stored.exists(replica, "job")).isTrue();
            assertThat(primary.calls("wait") - before).isEqualTo(1);
            assertThat(lock.tryLock()).as("a re-entry").isTrue();
            lock.unlock();
            lock.unlock();
            assertThat(primary.calls("wait") - before).isEqualTo(1);
        }
    }

    /** The field is there since the holder's release, and the claim says so; the replica has neither. */
    @ParameterizedTest
    @EnumSource
    void aClaimIsNoHoldBeforeTheReplicaHasIt(Kind kind) throws Exception {
        try (LockClient client = waiting(LONG)) {
            useOnce(client);
            LockHold first = holder.getReadWriteLock("job").writeLock().acquire();
            RFuture<LockHold> next = kind.of(client).acquireAsync();
            awaitPlaces(1);
            pair.replicas().get(0).pause();
            first.close();
            awaitReplicaAsked();
            assertThat(Stored.exists(primary, "job")).isTrue();
            assertThat(next.isDone()).isFalse();
            pair.replicas().get(0).resume();
            Futures.get(next).close();
        }
    }

    /** Too few replicas in time: what was claimed is given back at once, and the next one comes. */
    @Test
    void aClaimThatIsNotConfirmedGoesToTheNext() throws Exception {
        try (LockClient client = waiting(Duration.ofMillis(300))) {
            useOnce(client);
            LockHold first = holder.getFairLock("job").acquire();
            RLock lock = client.getFairLock("job");
            Background<Boolean> unconfirmed = Background.run(() -> lock.lock());
            awaitPlaces(1);
            RFuture<LockHold> next = holder.getFairLock("job").acquireAsync();
            awaitPlaces(2);
            pair.replicas().get(0).pause();
            first.close();
            Futures.get(next).close();
            assertThatThrownBy(() -> unconfirmed.result(LONG))
                    .isInstanceOfSatisfying(LockUnavailableException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOREPLICAS));
        }
    }

    /** Taken together, they are confirmed together. */
    @Test
    void permitsThatAreGrantedAreAtTheReplica() throws Exception {
        try (LockClient client = waiting(LONG);
                RawRedis replica = pair.replicas().get(0).connect()) {
            RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore("job");
            slots.setPermits(2);
            long before = primary.calls("wait");
            List<String> both = slots.acquire(2);
            assertThat(replica.integer("ZCARD", PERMITS)).isEqualTo(2);
            slots.release(both);
            assertThat(primary.calls("wait") - before).isEqualTo(1);
        }
    }

    @Test
    void aPermitIsNotHandedOutBeforeTheReplicaHasIt() throws Exception {
        try (LockClient client = waiting(LONG)) {
            useOnce(client);
            RPermitExpirableSemaphore theirs = holder.getPermitExpirableSemaphore("job");
            theirs.setPermits(1);
            String first = theirs.acquire();
            RFuture<String> next = client.getPermitExpirableSemaphore("job").acquireAsync();
            await().until(() -> primary.integer("ZCARD", PERMITS + ":queue") == 1);
            pair.replicas().get(0).pause();
            theirs.release(first);
            awaitReplicaAsked();
            assertThat(primary.integer("ZCARD", PERMITS)).isEqualTo(1);
            assertThat(next.isDone()).isFalse();
            pair.replicas().get(0).resume();
            client.getPermitExpirableSemaphore("job").release(Futures.get(next));
        }
    }

    @Test
    void aLeaderIsProclaimedWhenTheReplicaHasTheLock() throws Exception {
        try (LockClient client = waiting(LONG)) {
            useOnce(client);
            pair.replicas().get(0).pause();
            RFuture<Leadership> campaign = client.getElection("job").campaignAsync("1", new byte[0]);
            awaitReplicaAsked();
            assertThat(Stored.exists(primary, "job")).isTrue();
            assertThat(holder.getElection("job").leader()).isEmpty();
            assertThat(campaign.isDone()).isFalse();
            pair.replicas().get(0).resume();
            try (Leadership leadership = Futures.get(campaign)) {
                assertThat(holder.getElection("job").leader()).map(Leader::term).contains(leadership.term());
            }
        }
    }

    /** So that the client knows its rights and scripts. A replica of a busy machine may take longer than it is given. */
    private static void useOnce(LockClient client) {
        await().ignoreException(LockUnavailableException.class).until(() -> {
            client.getLock("before").acquire().close();
            return true;
        });
    }

    /** Until a grant waits for the replica, which stands still. */
    private void awaitReplicaAsked() {
        await().until(() -> primary.info("clients").get("blocked_clients").equals("1"));
    }

    private void awaitPlaces(long number) {
        await().until(() -> primary.integer("ZCARD", Stored.key("job") + ":queue") == number);
    }
}
