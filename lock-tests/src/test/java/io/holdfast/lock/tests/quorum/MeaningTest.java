package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockFailure;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the methods of a lock mean when it is kept by several servers. */
@RedisTest(servers = 3)
class MeaningTest extends QuorumTest {

    @Test
    void itsNameIsThatOfItsMembers() {
        List<LockClient> clients = connectEach(urls());
        assertThat(composed(clients, NAME).getName()).isEqualTo(NAME);
        assertThat(connectQuorum().getLock(NAME).getName()).isEqualTo(NAME);
        RLock mixed = RedLock.of(
                PATIENT,
                List.of(
                        clients.get(0).getLock("a"),
                        clients.get(1).getLock("b"),
                        clients.get(2).getLock("c")));
        assertThat(mixed.getName()).contains("a").contains("b").contains("c");
        mixed.lock();
        mixed.unlock();
    }

    @Test
    void itIsLockedWhenAMajoritySaysSo() throws Exception {
        RLock lock = connectQuorum().getLock(NAME);
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.remainTimeToLive()).isEqualTo(-2);
        keepAt(0, "somebody:1:1", 20_000);
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.remainTimeToLive()).isEqualTo(-2);
        keepAt(1, "somebody:1:1", 10_000);
        assertThat(lock.isLocked()).isTrue();
        assertThat(lock.remainTimeToLive()).isBetween(1L, 10_000L);
        keepAt(2, "somebody:1:1", 15_000);
        assertThat(lock.remainTimeToLive()).isBetween(10_001L, 15_000L);
        raws.forEach(each -> each.command("DEL", Stored.key(NAME)));
    }

    /** Two different owners at two servers are no owner. */
    @Test
    void aSplitIsNotALock() throws Exception {
        RLock lock = connectQuorum().getLock(NAME);
        keepAt(0, "somebody:1:1", 20_000);
        keepAt(1, "another:1:1", 20_000);
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.forceUnlock()).isTrue();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    private void keepAt(int server, String field, long millis) {
        RawRedis at = raws.get(server);
        at.command("HSET", Stored.key(NAME), field, "1");
        at.command("PEXPIRE", Stored.key(NAME), Long.toString(millis));
    }

    /** Different objects over the same clients are one lock with the same owners. */
    @Test
    void twoObjectsOverTheSameClientsAreOneLock() {
        List<LockClient> clients = connectEach(urls());
        RLock first = composed(clients, NAME);
        RLock second = composed(clients, NAME);
        first.lock();
        assertThat(second.getHoldCount()).isEqualTo(1);
        second.unlock();
        assertThat(first.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void theOrderOfTheClientsMakesNoDifference() {
        List<LockClient> clients = connectEach(urls());
        RLock outer = composed(clients, NAME);
        RLock inner = composed(List.of(clients.get(1), clients.get(2), clients.get(0)), NAME);
        outer.lock();
        assertThat(inner.tryLock()).isTrue();
        assertThat(outer.getHoldCount()).isEqualTo(2);
        inner.unlock();
        inner.unlock();
        assertThat(outer.isHeldByCurrentThread()).isFalse();
    }

    /** Whoever uses a member by itself excludes the whole where a majority is concerned, and the other way round. */
    @Test
    void aMemberAndTheWholeExcludeEachOther() throws Exception {
        List<LockClient> clients = connectEach(urls());
        RLock lock = composed(connectEach(urls()), NAME);
        lock.lock();
        awaitKeepers(3);
        assertThat(clients.get(0).getLock(NAME).tryLock()).isFalse();
        lock.unlock();
        awaitNothingLeft();
        LockHold first = clients.get(0).getLock(NAME).acquire();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        LockHold second = clients.get(1).getLock(NAME).acquire();
        assertThat(lock.tryLock()).isFalse();
        first.close();
        second.close();
        assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
    }

    @Test
    void anInspectionSaysWhatAMajoritySays() throws Exception {
        LockClient client = connectQuorum();
        LockInfo free = client.inspect(NAME);
        assertThat(free.locked()).isFalse();
        assertThat(free.holders()).isEmpty();
        LockHold hold = client.getLock(NAME).acquire();
        LockInfo held = connectQuorum().inspect(NAME);
        assertThat(held.locked()).isTrue();
        assertThat(held.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).startsWith(client.id());
            assertThat(holder.fencingToken()).hasValue(hold.fencingToken());
            assertThat(holder.holdCount()).isEqualTo(1);
            assertThat(holder.ofThisClient()).isFalse();
        });
        assertThat(held.heldByThisClient()).isFalse();
        assertThat(client.inspect(NAME).heldByThisClient()).isTrue();
        assertThat(held.timeToLive().orElseThrow()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
        hold.close();
    }

    /** A server that granted late has a token of its own; the lock's is what its holder was given. */
    @Test
    void anInspectionTellsTheTokenThatTheHolderWasGiven() throws Exception {
        List<FaultProxy> proxies = proxies();
        proxies.get(1).onAccept(link -> link.delayRequests(Duration.ofMillis(30)));
        LockClient client = connectQuorum(urlsOf(proxies), PATIENT);
        LockHold hold = client.getLock(NAME).acquire();
        awaitKeepers(3);
        assertThat(connectQuorum().inspect(NAME).holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.fencingToken()).hasValue(hold.fencingToken()));
        hold.close();
    }

    @Test
    void anExtensionCountsForAMajority() throws Exception {
        LockHold hold =
                connectQuorum().getLock(NAME).withLease(Duration.ofSeconds(2)).acquire();
        awaitKeepers(3);
        servers.get(2).pause();
        hold.extend(Duration.ofSeconds(20));
        assertThat(hold.validFor()).isGreaterThan(Duration.ofSeconds(18));
        hold.ensure(Duration.ofSeconds(10));
        servers.get(2).resume();
        hold.close();
    }

    @Tag("proof")
    @Test
    void questionsNeedAMajority() throws Exception {
        RLock lock = connectQuorum().getLock(NAME);
        lock.lock();
        awaitKeepers(3);
        servers.get(0).pause();
        assertThat(lock.isLocked()).isTrue();
        servers.get(1).kill();
        assertThatThrownBy(lock::isLocked)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining(Integer.toString(servers.get(0).port()))
                .extracting(failure -> ((LockFailure) failure).reason())
                .isEqualTo(FailureReason.NO_MAJORITY);
        servers.get(0).resume();
        assertThat(lock.isLocked()).isTrue();
        lock.unlock();
    }

    /** What each node said is in the message: how long it refuses, that it did not answer, that it can't be reached. */
    @Test
    void aFailureSaysWhatEachServerSaid() throws Exception {
        RLock lock = warm(connectQuorum(urls(), QuorumOptions.defaults())).getLock(NAME);
        keepAt(0, "somebody:1:1", 20_000);
        servers.get(1).pause();
        servers.get(2).kill();
        assertThatThrownBy(() -> lock.tryLock(200, TimeUnit.MILLISECONDS))
                .isInstanceOf(io.holdfast.lock.LockException.class)
                .hasMessageContaining(servers.get(0).port() + ": refused for")
                .hasMessageMatching("(?s).*" + servers.get(1).port() + ": (no answer|it has not answered).*")
                .hasMessageMatching("(?s).*" + servers.get(2).port() + ": (UNREACHABLE|DISCONNECTED).*");
        raws.get(0).command("DEL", Stored.key(NAME));
    }

    @Test
    void tokensCanBeSwitchedOff() {
        RLock lock = connectQuorum(urls(), PATIENT.toBuilder().fencing(false).build())
                .getLock(NAME);
        lock.lock();
        assertThatThrownBy(lock::getFencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fencing");
        lock.unlock();
    }

    /** A value lives in one store, and which one is not for the library to say. */
    @Test
    void aFencedValueWantsAClientOfOneServer() {
        LockClient client = connectQuorum();
        assertThatThrownBy(() -> client.getFencedValue("value")).isInstanceOf(UnsupportedOperationException.class);
    }
}
