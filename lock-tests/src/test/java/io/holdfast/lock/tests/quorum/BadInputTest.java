package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockFailure;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.ClientThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What makes no quorum is refused at once, by an error that names it; nothing is left behind. */
@RedisTest(servers = 3)
class BadInputTest extends QuorumTest {

    // --- RedLock.of ---

    @Test
    void noLocks() {
        assertThatThrownBy(RedLock::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no locks");
    }

    @Test
    void nullAmongTheLocks() {
        RLock lock = connect().getLock(NAME);
        assertThatThrownBy(() -> RedLock.of(lock, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> RedLock.of((RLock[]) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> RedLock.of(null, List.of(lock))).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> RedLock.of(QuorumOptions.defaults(), Arrays.asList(lock, null)))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void fairLocksAndLocksOfSeveralKinds() {
        List<LockClient> clients = connectEach(urls());
        List<RLock> fair =
                clients.stream().map(client -> client.getFairLock(NAME)).toList();
        assertThatThrownBy(() -> RedLock.of(QuorumOptions.defaults(), fair))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lock '" + NAME + "' at 127.0.0.1:")
                .hasMessageContaining("is a fair lock, and each server would keep another order")
                .hasMessageContaining("(expected: locks of getLock");
        assertThatThrownBy(() -> RedLock.of(
                        clients.get(0).getReadWriteLock(NAME).readLock(),
                        clients.get(1).getReadWriteLock(NAME).writeLock()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("locks of different kinds");
    }

    @Test
    void theSameLockTwice() {
        List<LockClient> clients = connectEach(urls());
        RLock lock = clients.get(0).getLock(NAME);
        assertThatThrownBy(() -> RedLock.of(lock, clients.get(1).getLock(NAME), lock))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + NAME + "'")
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> RedLock.of(
                        lock, clients.get(1).getLock(NAME), clients.get(0).getLock(NAME)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void twoLocksOfOneClient() {
        List<LockClient> clients = connectEach(urls());
        assertSameServer(
                servers.get(0),
                clients.get(0).getLock("a"),
                clients.get(1).getLock("a"),
                clients.get(0).getLock("b"));
    }

    @Test
    void twoClientsOfOneServer() {
        List<LockClient> clients = connectEach(urls());
        LockClient same = closing(Clients.connect(servers.get(1).url()));
        assertSameServer(
                servers.get(1), clients.get(0).getLock("a"), clients.get(1).getLock("a"), same.getLock("a"));
    }

    /** A server that was promoted has not heard of all locks. */
    @Test
    void aClientThatMayFailOver() {
        List<LockClient> clients = connectEach(urls());
        LockClient moving = closing(Clients.connect("redis-replicas://"
                + servers.get(2).host() + ":" + servers.get(2).port()));
        assertThatThrownBy(() ->
                        RedLock.of(clients.get(0).getLock("a"), clients.get(1).getLock("a"), moving.getLock("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number 3")
                .hasMessageContaining("leads to one of several servers");
    }

    /** The addresses differ; the server tells its identity. */
    @Test
    void oneServerUnderTwoNames() {
        List<LockClient> clients = connectEach(urls());
        LockClient same =
                closing(Clients.connect("redis://localhost:" + servers.get(2).port()));
        assertSameServer(
                servers.get(2),
                same.getLock("a"),
                clients.get(1).getLock("a"),
                clients.get(2).getLock("a"));
    }

    private static void assertSameServer(RedisServer server, RLock... locks) {
        assertThatThrownBy(() -> RedLock.of(locks))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the same server")
                .hasMessageContaining(Integer.toString(server.port()));
    }

    @Test
    void aLockOfAClosedClient() {
        List<LockClient> clients = connectEach(urls());
        clients.get(1).close();
        assertThatThrownBy(() -> composed(clients, NAME))
                .isInstanceOf(LockClientClosedException.class)
                .hasMessageContaining("'" + NAME + "'");
    }

    @Test
    void aRedLockInsideARedLock() {
        List<LockClient> clients = connectEach(urls());
        RLock inner = composed(clients.subList(0, 2), NAME);
        assertThatThrownBy(() -> RedLock.of(inner, clients.get(2).getLock(NAME)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + NAME + "'")
                .hasMessageContaining("several servers");
        RLock ofQuorum = connectQuorum().getLock(NAME);
        assertThatThrownBy(() -> RedLock.of(ofQuorum, clients.get(2).getLock(NAME)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("several servers");
    }

    /** Whoever holds a member would wait for himself. */
    @Test
    void aMemberThatTheCallerHolds() throws Exception {
        List<LockClient> clients = connectEach(urls());
        RLock lock = composed(clients, NAME);
        RLock member = clients.get(1).getLock(NAME);
        member.lock();
        for (Attempt attempt : List.<Attempt>of(
                lock::tryLock, lock::lock, lock::lockInterruptibly, () -> lock.tryLock(20, TimeUnit.SECONDS))) {
            assertThatThrownBy(attempt::make)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("holds its member '" + NAME + "'")
                    .hasMessageContaining(Integer.toString(servers.get(1).port()));
        }
        assertThat(lock.isLocked()).isFalse();
        member.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    private interface Attempt {
        void make() throws Exception;
    }

    // --- connectQuorum ---

    @Test
    void noAddress() {
        assertThatThrownBy(LockClient::connectQuorum)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("urls");
        assertThatThrownBy(() -> LockClient.connectQuorum((String[]) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> LockClient.connectQuorum(urls().get(0), null))
                .isInstanceOf(NullPointerException.class);
        assertNoThread();
    }

    @Test
    void theSameAddressTwice() {
        List<String> urls = List.of(urls().get(0), urls().get(1), urls().get(0));
        assertThatThrownBy(() -> LockClient.connectQuorum(urls.toArray(String[]::new)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the same server")
                .hasMessageContaining(Integer.toString(servers.get(0).port()));
        assertNoThread();
    }

    @Test
    void theSameServerUnderTwoNames() {
        String alias = "redis://localhost:" + servers.get(0).port();
        assertThatThrownBy(() -> LockClient.connectQuorum(alias, urls().get(1), urls().get(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the same server");
        assertNoThread();
    }

    @Test
    void aMalformedAddress() {
        assertThatThrownBy(() -> LockClient.connectQuorum(urls().get(0), "not an address", urls().get(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("malformed address");
        assertNoThread();
    }

    @Test
    void aMajorityThatCannotBeReached() {
        servers.get(0).kill();
        servers.get(2).kill();
        ClientOptions options =
                Clients.quick().connectTimeout(Duration.ofMillis(500)).build();
        assertThatThrownBy(() -> LockClient.connectQuorum(urls(), options, QuorumOptions.defaults()))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("no majority")
                .hasMessageContaining(Integer.toString(servers.get(0).port()))
                .hasMessageContaining(Integer.toString(servers.get(2).port()))
                .extracting(failure -> ((LockFailure) failure).reason())
                .isEqualTo(FailureReason.NO_MAJORITY);
        assertNoThread();
    }

    @Test
    void aMinorityThatCannotBeReachedIsNoReasonToRefuse() {
        servers.get(0).kill();
        RLock lock = connectQuorum(
                        urls(), Clients.quick().connectTimeout(Duration.ofMillis(300)), QuorumOptions.defaults())
                .getLock(NAME);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    private static void assertNoThread() {
        eventually(() -> assertThat(ClientThreads.names()).isEmpty());
    }
}
