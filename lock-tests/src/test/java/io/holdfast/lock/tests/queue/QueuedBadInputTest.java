package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fair and read/write locks refuse, each with its sentence, and nothing is sent. */
class QueuedBadInputTest extends QueueTest {

    @Test
    void redissonsSchemeHasNeither() {
        LockOptions shared = LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        assertRefused(
                () -> client.getFairLock(NAME, shared),
                "lock '" + NAME + "', 127.0.0.1:" + redis.port() + ": with the key scheme REDISSON, ",
                "Redisson keeps the order of a fair lock by the clocks of its clients",
                "(expected: the scheme HOLDFAST)");
        assertRefused(
                () -> client.getReadWriteLock(NAME, shared),
                "lock '" + NAME + "', 127.0.0.1:" + redis.port() + ": with the key scheme REDISSON, ",
                "its readers pass writers",
                "(expected: the scheme HOLDFAST)");
    }

    @Test
    void aQuorumHasNoFairLock() {
        try (LockClient quorum = LockClient.connectQuorum(redis.url())) {
            awaitQuiet();
            assertRefused(
                    () -> quorum.getFairLock(NAME),
                    "lock '" + NAME + "', 127.0.0.1:" + redis.port() + ": a fair lock needs one order",
                    "(expected: getLock or getReadWriteLock, which keep none, or a client of one store)");
        }
    }

    @Test
    void onlyFairLocksHaveConditions() {
        for (RLock lock : List.of(client.getLock(NAME), client.getFencedLock(NAME))) {
            assertRefused(lock::newCondition, "lock '" + NAME + "': there are no conditions", "stand in no queue");
        }
        for (RLock lock : List.of(reading(client), writing(client))) {
            assertRefused(() -> lock.newCondition("c"), "lock '" + NAME + "': there are no conditions", "read-locked");
        }
        RLock several = MultiLock.of(fair(client), other.getFairLock("b"));
        assertRefused(
                several::newCondition, "there are no conditions", "in one step", "(expected: a lock of getFairLock)");
        try (LockClient quorum = LockClient.connectQuorum(redis.url())) {
            awaitQuiet();
            assertRefused(quorum.getLock(NAME)::newCondition, "there are no conditions", "each of its nodes");
        }
        LockOptions shared = LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        assertRefused(client.getLock(NAME, shared)::newCondition, "there are no conditions", "Redisson");
    }

    @Test
    void namesOfConditionsFollowTheRulesOfLocks() {
        RLock lock = fair(client);
        assertThatThrownBy(() -> lock.newCondition("")).hasMessageContaining("condition name is empty");
        assertThatThrownBy(() -> lock.newCondition(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> lock.newCondition("x".repeat(1_025)))
                .hasMessageContaining("condition name 'xxxx")
                .hasMessageContaining("at most 1024");
        assertThatThrownBy(() -> lock.newCondition("\ud800")).hasMessageContaining("unpaired surrogate");
        assertThat(lock.newCondition()).isEqualTo(lock.newCondition("default")).isNotEqualTo(lock.newCondition("a"));
        assertThat(lock.newCondition("a\n").toString()).isEqualTo("condition 'a\\u000a' of lock '" + NAME + "'");
    }

    /** Whatever it is called, its keys are none of the lock's own, and no lock's. */
    @Test
    void aConditionOfAnyNameKeepsToItsOwnKeys() throws Exception {
        for (String name : List.of("queue", ":queue", "}:queue", "x:{y}", "%7D", "a:seen", "\u00e9 *?[")) {
            RLock lock = fair(client);
            lock.lock();
            assertThat(lock.newCondition(name).await(10, TimeUnit.MILLISECONDS)).isFalse();
            RFuture<Void> call = lock.newCondition(name).awaitAsync();
            eventually(() -> assertThat(raw.list("KEYS", KEY + ":cond:*"))
                    .singleElement(STRING)
                    .doesNotEndWith("}"));
            assertThat(client.locks(LockQuery.all())).isEmpty();
            get(fair(other).lockAsync(5));
            get(other.getFairLock(NAME).newCondition(name).signalAsync(5));
            get(fair(other).unlockAsync(5));
            get(call);
            lock.unlock();
        }
    }

    private void assertRefused(ThrowingCallable call, String... sentence) {
        long before = scripts();
        assertThatThrownBy(call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll(sentence);
        assertThat(scripts()).isEqualTo(before);
    }

    @Test
    void namesAndOptionsAreRequired() {
        long before = scripts();
        assertThatThrownBy(() -> client.getFairLock("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.getReadWriteLock("")).isInstanceOf(IllegalArgumentException.class);
        for (RLock lock : locks()) {
            assertThatThrownBy(() -> lock.lock(0, TimeUnit.SECONDS))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lease");
            assertThatThrownBy(() -> lock.withLease(Duration.ofMillis(-5)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(scripts()).isEqualTo(before);
    }

    /** What is in the queue's place keeps none from releasing, and those who wait plainly hear of it. */
    @Test
    void aQueueOfAnotherKindOfObjectKeepsNoLockFromBeingFreed() throws Exception {
        for (RLock lock : locks()) {
            lock.lock();
            RFuture<LockHold> plain = other.getLock(NAME).acquireAsync();
            awaitListening();
            raw.command("SET", KEY + ":queue", "precious");
            lock.unlock();
            get(plain).close();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(raw.text("GET", KEY + ":queue")).isEqualTo("precious");
            raw.command("DEL", KEY + ":queue");
        }
    }

    /** Whichever of the lock's keys holds something else: the error names the lock and the node, not the key, which stays. */
    @ParameterizedTest
    @ValueSource(strings = {"", ":readers", ":queue"})
    void aKeyOfAnotherKindOfObjectIsRefusedAndStays(String suffix) throws Exception {
        raw.command("SET", KEY + suffix, "precious");
        for (RLock lock : locks()) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> lock.tryLock(), () -> lock.tryLock(5, TimeUnit.SECONDS), () -> lock.acquireAsync()
                            .get(5, TimeUnit.SECONDS))) {
                assertThatThrownBy(call)
                        .satisfies(failure ->
                                assertWrongType(failure instanceof LockServerException ? failure : failure.getCause()));
            }
        }
        assertThat(raw.text("GET", KEY + suffix)).isEqualTo("precious");
        raw.command("DEL", KEY + suffix);
        assertThat(fair(client).tryLock()).isTrue();
        fair(client).unlock();
    }

    /** Only calls that wait need it. */
    @Test
    void aForeignKeyWhereThePresentAreKeptRefusesWaitingCallsAndStays() throws Exception {
        raw.command("SET", KEY + ":seen", "precious");
        for (RLock lock : locks()) {
            LockHold holder = fair(other).acquire();
            assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(5))).satisfies(this::assertWrongType);
            assertThat(waiting()).as("no place that would never expire").isEmpty();
            holder.close();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        }
        assertThat(raw.text("GET", KEY + ":seen")).isEqualTo("precious");
        raw.command("DEL", KEY + ":seen");
    }

    /** Renewal as well, which the chaos row waits for. */
    @Test
    void withMemoryFullOnlyComingIsRefused() throws Exception {
        LockHold one = reading(client).acquire();
        LockHold two = reading(other).acquire();
        RFuture<LockHold> writer = queued(writing(other));
        awaitQuiet();
        raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        raw.command("CONFIG", "SET", "maxmemory", "1");
        try {
            for (RLock lock : List.of(fair(client), writing(client))) {
                assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(50)))
                        .isInstanceOfSatisfying(LockServerException.class, full -> assertThat(full.reason())
                                .isEqualTo(FailureReason.OOM))
                        .hasMessageContaining("lock '" + NAME + "'");
            }
            one.extend(Duration.ofSeconds(60));
            one.close();
            writer.toCompletableFuture().cancel(true);
            awaitWaiting(0);
            two.close();
            assertThat(lockKeys()).isEmpty();
        } finally {
            raw.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    private void assertWrongType(Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(LockServerException.class, wrong -> assertThat(wrong.reason())
                        .isEqualTo(FailureReason.WRONGTYPE))
                .hasMessageContaining("lock '" + NAME + "'")
                .hasMessageContaining("127.0.0.1:" + redis.port())
                .hasMessageContaining("WRONGTYPE")
                .hasMessageContaining(" is a string");
    }

    private List<RLock> locks() {
        return List.of(fair(client), reading(client), writing(client));
    }
}
