package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.ClientThreads;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of clients: holds are given back on every server, waiters hear of it, and nothing is left. */
@RedisTest(servers = 3)
class ClosingTest extends QuorumTest {

    /** A lock of several clients ends with the first of them that is closed, whichever it is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void closingOneMemberEndsTheHoldsAndGivesThemBackEverywhere(int closed) throws Exception {
        List<LockClient> clients = connectEach(urls());
        RLock lock = composed(clients, NAME);
        LockHold hold = lock.acquire();
        RFuture<LockHold> waiting = lock.acquireAsync();
        awaitKeepers(3);

        clients.get(closed).close();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.CLIENT_CLOSED);
        assertThatThrownBy(() -> Futures.get(waiting)).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockClientClosedException.class);
        awaitNothingLeft();
    }

    /** The other clients, and the locks over them, go on. */
    @Test
    void closingOneMemberSparesTheOthers() throws Exception {
        List<LockClient> clients = connectEach(urls());
        LockClient fourth = closing(Clients.connect(urls().get(0)));
        RLock ended = composed(clients, NAME);
        ended.lock();
        clients.get(0).close();
        awaitNothingLeft();

        RLock lock = composed(List.of(fourth, clients.get(1), clients.get(2)), NAME);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        RLock single = clients.get(1).getLock(NAME);
        assertThat(single.tryLock()).isTrue();
        single.unlock();
    }

    @Test
    void closingAClientOfAllServersLeavesNoKeyAndNoThread() throws Exception {
        LockClient client = connectQuorum();
        List<LockHold> holds = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            holds.add(client.getLock("lock:" + i).acquire());
        }
        RFuture<Optional<LockHold>> waiting = client.getLock("lock:0").tryAcquireAsync(Duration.ofMinutes(1));

        client.close();

        assertThatThrownBy(() -> Futures.get(waiting)).isInstanceOf(LockClientClosedException.class);
        assertThat(holds).allSatisfy(hold -> assertThat(hold.state()).isEqualTo(HoldState.LOST));
        assertThat(lockKeys()).isEmpty();
        // The thread that told of the losses leaves when it has done so.
        await().untilAsserted(() -> assertThat(ClientThreads.names()).isEmpty());
    }

    @Tag("proof")
    @Test
    void closingInTheMiddleOfEverythingLeavesNothing() throws Exception {
        for (int round = 0; round < 10; round++) {
            LockClient client = connectQuorum();
            List<RFuture<LockHold>> calls = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                calls.add(client.getLock("lock:" + i % 10).acquireAsync());
            }
            client.close();
            for (RFuture<LockHold> call : calls) {
                try {
                    Futures.get(call);
                } catch (LockClientClosedException closed) {
                    assertThat(closed.reason()).isEqualTo(FailureReason.CLIENT_CLOSED);
                }
            }
            awaitNothingLeft();
        }
    }

    /** One that hangs is told when it goes on: the release is in its socket. */
    @Tag("proof")
    @Test
    void closingEndsInTimeThoughOneServerHangs() throws Exception {
        LockClient client = warm(connectQuorum());
        client.getLock(NAME).acquire();
        awaitKeepers(3);
        servers.get(1).pause();
        long startNanos = System.nanoTime();
        client.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                .isLessThan(Clients.COMMAND_TIMEOUT.multipliedBy(3));
        assertThat(keepers(java.util.stream.Stream.of(servers.get(0), servers.get(2)), NAME))
                .isZero();
        servers.get(1).resume();
        awaitNothingLeft();
    }

    /**
     * Servers that stand still until the client is gone: their first answers find no reader, and they drop what is behind in
     * the socket, releases among it. Such a lock is free when its lease is over (rule 38).
     */
    @Tag("proof")
    @Test
    void whatAFrozenMajorityDropsEndsWithItsLease() throws Exception {
        LockOptions brief = Clients.watchdog(Duration.ofSeconds(2));
        LockClient client = warm(connectQuorum());
        List<RFuture<LockHold>> calls = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            calls.add(client.getLock("held:" + i, brief).acquireAsync());
            if (calls.size() == 25) {
                // No more at once than a busy machine answers in the time that a node has.
                calls.forEach(Futures::get);
                calls.clear();
            }
        }
        pause(servers.subList(0, 2));
        for (int i = 0; i < 300; i++) {
            client.getLock("wanted:" + i, brief).acquireAsync();
        }
        long startNanos = System.nanoTime();
        client.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                .isLessThan(Clients.COMMAND_TIMEOUT.multipliedBy(3));

        resume(servers);
        await().atMost(brief.watchdogLease().plusSeconds(1))
                .untilAsserted(() -> assertThat(lockKeys()).isEmpty());
    }
}
