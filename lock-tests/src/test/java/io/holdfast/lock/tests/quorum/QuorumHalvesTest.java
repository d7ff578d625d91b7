package io.holdfast.lock.tests.quorum;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Both halves of a read/write lock over three servers (rule 66). */
@RedisTest(servers = 3, freshPerTest = true)
class QuorumHalvesTest extends QuorumTest {

    private static final String KEY = Stored.key(NAME);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final LockOptions WATCHED =
            LockOptions.builder().watchdogLease(Duration.ofMillis(1_500)).build();

    private LockClient client;
    private LockClient other;

    @BeforeEach
    void connectClients() throws InterruptedException {
        client = warm(connectQuorum());
        other = warm(connectQuorum());
    }

    private static RLock reading(LockClient of) {
        return of.getReadWriteLock(NAME).readLock();
    }

    private static RLock writing(LockClient of) {
        return of.getReadWriteLock(NAME).writeLock();
    }

    /** How many servers have so many readers. */
    private static long nodesWithReaders(List<RedisServer> among, int readers) {
        return among.stream()
                .filter(server -> {
                    try (RawRedis node = server.connect()) {
                        return node.integer("ZCARD", KEY + ":readers") == readers;
                    }
                })
                .count();
    }

    // --- exclusion ---

    @Test
    void readersShareTheLockAndKeepWritersOut() throws Exception {
        LockHold one = reading(client).acquire();
        LockHold two = reading(client).acquire();
        LockHold three = reading(other).tryAcquire(Duration.ZERO).orElseThrow();
        eventually(() -> assertThat(nodesWithReaders(servers, 3)).isEqualTo(3));
        for (LockClient each : List.of(client, other)) {
            assertThat(writing(each).tryLock()).isFalse();
            assertThat(each.getLock(NAME).tryLock()).isFalse();
        }
        one.close();
        two.close();
        assertThat(writing(other).tryLock()).isFalse();
        three.close();
        assertThat(writing(other).tryLock()).isTrue();
        assertThat(reading(client).tryLock()).isFalse();
        assertThat(client.getLock(NAME).tryLock()).isFalse();
        writing(other).unlock();
        awaitNothingLeft();
    }

    /** The server publishes when the last reader leaves, and when a writer does. */
    @Test
    void eachHalfWakesTheCallsThatWaitForTheOther() throws Exception {
        LockHold one = reading(client).acquire();
        LockHold two = reading(other).acquire();
        RFuture<LockHold> remote = writing(other).acquireAsync();
        RFuture<LockHold> local = writing(client).acquireAsync();
        eventually(() ->
                assertThat(client.waiters().size() + other.waiters().size()).isEqualTo(2));
        one.close();
        assertThat(remote.toCompletableFuture()).isNotDone();
        two.close();
        List<RFuture<LockHold>> readers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            readers.add(reading(i % 2 == 0 ? client : other).acquireAsync());
        }
        // Any of them comes first: there is no order over nodes. So each gives back what it got at once.
        List<RFuture<LockHold>> all = new ArrayList<>(readers);
        all.addAll(List.of(remote, local));
        all.forEach(call -> call.thenAccept(LockHold::close));
        all.forEach(call -> get(call));
        awaitNothingLeft();
    }

    @Tag("proof")
    @Test
    void aReaderOfOneServerAloneExcludesNoMajority() throws Exception {
        LockClient single = closing(Clients.connect(servers.get(0).url()));
        LockHold reader = single.getReadWriteLock(NAME).readLock().acquire();
        try (LockHold writer = writing(client).acquire()) {
            assertThat(writer.state()).isEqualTo(HoldState.HELD);
            assertThat(single.getReadWriteLock(NAME).readLock().tryLock()).isTrue();
            single.getReadWriteLock(NAME).readLock().unlock();
        }
        reader.close();
        awaitNothingLeft();
    }

    /** What stands in the queue of one server is let in when a half over all of them goes. */
    @Tag("proof")
    @Test
    void aReleaseLetsInWhatQueuesAtOneServer() throws Exception {
        LockClient single = closing(Clients.connect(servers.get(0).url()));
        LockHold reader = reading(client).acquire();
        RFuture<LockHold> queued = single.getFairLock(NAME).acquireAsync();
        eventually(
                () -> assertThat(raws.get(0).integer("ZCARD", KEY + ":queue")).isEqualTo(1));
        reader.close();
        get(queued).close();
        awaitNothingLeft();
    }

    // --- one owner ---

    @Tag("proof")
    @Test
    void aWriterMayGoOnReading() throws Exception {
        writing(client).lock();
        reading(client).lock();
        assertThat(reading(client).getFencingToken())
                .isGreaterThan(writing(client).getFencingToken());
        assertThat(reading(other).tryLock()).isFalse();
        writing(client).unlock();
        assertThat(reading(client).isHeldByCurrentThread()).isTrue();
        assertThat(writing(client).isHeldByCurrentThread()).isFalse();
        try (LockHold beside = reading(other).tryAcquire(LONG).orElseThrow()) {
            assertThat(beside.state()).isEqualTo(HoldState.HELD);
            assertThat(writing(other).tryLock()).isFalse();
        }
        reading(client).unlock();
        assertThat(writing(other).tryLock(20, TimeUnit.SECONDS)).isTrue();
        writing(other).unlock();
        awaitNothingLeft();
    }

    /** Those that wait in its client wait for the hold beside which it asks. */
    @Test
    void aDowngradePassesTheCallsThatWaitInItsClient() throws Exception {
        writing(client).lock();
        RFuture<LockHold> writer = writing(client).acquireAsync();
        RFuture<LockHold> elsewhere = writing(other).acquireAsync();
        eventually(() -> assertThat(client.waiters()).hasSize(1));
        assertThat(reading(client).tryLock(5, TimeUnit.SECONDS)).isTrue();
        writing(client).unlock();
        assertThat(writer.toCompletableFuture()).isNotDone();
        assertThat(elsewhere.toCompletableFuture()).isNotDone();
        reading(client).unlock();
        // Either may come first, and gives back at once what the other waits for.
        List<RFuture<LockHold>> both = List.of(writer, elsewhere);
        both.forEach(call -> call.thenAccept(LockHold::close));
        both.forEach(call -> get(call));
        awaitNothingLeft();
    }

    @Tag("proof")
    @Test
    void aHolderOfThePlainLockMayGoOnReading() throws Exception {
        RLock plain = client.getLock(NAME);
        plain.lock();
        reading(client).lock();
        assertThat(client.holds()).extracting("kind").contains(HoldKind.PLAIN, HoldKind.READ);
        plain.unlock();
        eventually(() -> assertThat(nodesWithReaders(servers, 1)).isEqualTo(3));
        assertThat(other.getLock(NAME).tryLock()).isFalse();
        assertThat(writing(other).tryLock()).isFalse();
        assertThat(reading(other).tryLock()).isTrue();
        reading(other).unlock();
        reading(client).unlock();
        awaitNothingLeft();
    }

    @Test
    void anUpgradeIsRefusedAndNothingIsSent() {
        reading(client).lock();
        long before = scripts();
        assertThatThrownBy(writing(client)::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("lock '" + NAME + "'")
                .hasMessageContaining("holds it as read and asks for it as write")
                .hasMessageContaining("release it first");
        assertThatThrownBy(client.getLock(NAME)::tryLock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(scripts()).isEqualTo(before);
        reading(client).unlock();
        awaitNothingLeft();
    }

    @Test
    void forceOfOneHalfSparesTheOther() {
        writing(client).lock();
        reading(client).lock();
        assertThat(writing(client).forceUnlock()).isTrue();
        assertThat(reading(client).isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(writing(client)::unlock).isInstanceOf(LockLostException.class);
        assertThat(reading(other).tryLock()).isTrue();
        reading(other).unlock();
        assertThat(reading(other).forceUnlock()).isTrue();
        assertThatThrownBy(reading(client)::unlock).isInstanceOf(LockLostException.class);
        assertThat(writing(other).tryLock()).isTrue();
        writing(other).unlock();
        awaitNothingLeft();
    }

    // --- servers that fail ---

    @Tag("proof")
    @Test
    void aReaderOutlivesADeadServerAndIsRenewed() throws Exception {
        LockHold reader = client.getReadWriteLock(NAME, WATCHED).readLock().acquire();
        servers.get(0).kill();
        assertThat(writing(other).tryAcquire(Duration.ofMillis(2_500))).isEmpty();
        assertThat(reader.state()).isEqualTo(HoldState.HELD);
        reader.close();
        writing(other).acquire().close();
    }

    @Tag("proof")
    @Test
    void aServerThatStoodStillIsRegainedByAReader() throws Exception {
        servers.get(2).pause();
        LockHold reader = client.getReadWriteLock(NAME, WATCHED).readLock().acquire();
        assertThat(nodesWithReaders(servers.subList(0, 2), 1)).isEqualTo(2);
        servers.get(2).resume();
        eventually(() -> assertThat(nodesWithReaders(servers, 1)).isEqualTo(3));
        servers.get(0).kill();
        assertThat(writing(other).tryAcquire(Duration.ofMillis(2_500))).isEmpty();
        assertThat(reader.state()).isEqualTo(HoldState.HELD);
        reader.close();
    }

    /** A reader holds no longer when a majority has let writers in, and is told so. */
    @Tag("proof")
    @Test
    void aReaderIsLostWhenAMajorityForgetsIt() throws Exception {
        LockHold reader = client.getReadWriteLock(NAME, WATCHED).readLock().acquire();
        LockHold beside = other.getReadWriteLock(NAME, WATCHED).readLock().acquire();
        String field = raws.get(0).list("ZRANGE", KEY + ":readers", "0", "-1").stream()
                .filter(member -> member.startsWith(client.id()))
                .findFirst()
                .orElseThrow();
        raws.get(0).command("ZREM", KEY + ":readers", field);
        eventually(() -> assertThat(reader.state()).isEqualTo(HoldState.HELD));
        raws.get(1).command("ZREM", KEY + ":readers", field);
        assertThat(get(reader.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.KEY_GONE);
        assertThat(beside.state()).isEqualTo(HoldState.HELD);
        assertThat(writing(other).tryLock()).isFalse();
        beside.close();
        awaitNothingLeft();
    }

    /** It may have let a reader in and forgotten it (rule 36). */
    @Tag("proof")
    @Test
    void aServerThatHasForgottenReadersDoesNotVoteForAWriter() throws Exception {
        LockHold reader = reading(client).acquire();
        servers.get(0).kill();
        servers.get(0).restart();
        eventually(() -> assertThat(other.connections()).isNotEmpty());
        assertThat(writing(other).tryAcquire(Duration.ofMillis(700))).isEmpty();
        assertThat(reader.state()).isEqualTo(HoldState.HELD);
        reader.close();
    }

    /** Each of the requests that let a reader in, and each answer, may be lost at one server. */
    @Tag("proof")
    @Test
    void oneServerThatSaysNothingDelaysNoReader() throws Exception {
        List<FaultProxy> proxies = proxies();
        LockClient through = warm(connectQuorum(urlsOf(proxies), PATIENT));
        proxies.get(1).swallowReplies();
        LockHold reader = reading(through).tryAcquire(LONG).orElseThrow();
        assertThat(writing(other).tryLock()).isFalse();
        proxies.get(1).heal();
        reader.close();
        assertThat(writing(other).tryLock(20, TimeUnit.SECONDS)).isTrue();
        writing(other).unlock();
        awaitNothingLeft();
    }

    // --- tokens ---

    @Tag("proof")
    @Test
    void tokensGrowFromWritersToReadersAndBack() throws Exception {
        tokenClocksAreMinutesApart();
        long last = 0;
        for (int round = 0; round < 12; round++) {
            servers.get(round % 3).pause();
            RLock half = round % 2 == 0 ? writing(client) : reading(other);
            try (LockHold hold = half.tryAcquire(LONG).orElseThrow()) {
                assertThat(hold.fencingToken()).as("round %s", round).isGreaterThan(last);
                last = hold.fencingToken();
            }
            servers.get(round % 3).resume();
        }
        awaitNothingLeft();
    }

    /** As if servers had given out tokens while their clocks were minutes ahead. */
    private void tokenClocksAreMinutesApart() {
        writing(client).lock();
        writing(client).unlock();
        awaitNothingLeft();
        for (int i = 0; i < raws.size(); i++) {
            RawRedis each = raws.get(i);
            for (String key : each.list("KEYS", "holdfast:token:*")) {
                long newest = Long.parseLong(String.valueOf(each.text("GET", key)));
                each.command("SET", key, Long.toString(newest + TimeUnit.MINUTES.toMicros(2L * i)));
            }
        }
    }

    // --- looking ---

    @Tag("proof")
    @Test
    void aLookShowsTheReadersOfAMajority() throws Exception {
        LockHold one = reading(client).acquire();
        LockHold two = reading(other).acquire();
        raws.get(0).command("ZADD", KEY + ":readers", "99999999999999", "stranger:1:1");
        LockInfo seen = client.inspect(NAME);
        assertThat(seen.locked()).isTrue();
        assertThat(seen.holders()).hasSize(2).allMatch(LockInfo.Holder::reads);
        assertThat(client.locks(LockQuery.all())).singleElement().satisfies(lock -> assertThat(lock.holders())
                .hasSize(2));
        raws.get(0).command("ZREM", KEY + ":readers", "stranger:1:1");
        one.close();
        two.close();
        assertThat(client.inspect(NAME).locked()).isFalse();
    }
}
