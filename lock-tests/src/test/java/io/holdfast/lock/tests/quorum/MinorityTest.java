package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockFailure;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Workload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row 45: two of five servers are dead, hung, or mute. */
class MinorityTest extends QuorumTest {

    @Tag("proof")
    @Test
    void exclusionAndProgressSurviveTheLossOfAMinorityUnderLoad() throws Exception {
        // While two servers are gone, a split vote is noticed when they have had their time.
        QuorumOptions options =
                QuorumOptions.builder().nodeTimeout(Duration.ofMillis(100)).build();
        LockClient first = warm(connectQuorum(urls(), options));
        LockClient second = connectQuorum(urls(), options);
        Workload work = new Workload().with(first, NAME, 2).with(second, NAME, 2);
        awaitTurns(work);
        servers.get(0).pause();
        awaitTurns(work);
        servers.get(4).kill();
        awaitTurns(work);
        servers.get(0).resume();
        awaitTurns(work);
        servers.get(2).pause();
        awaitTurns(work);
        servers.get(2).resume();
        work.stop();
        assertThat(work.collisions()).isZero();
        assertThat(work.failures()).isLessThan(work.turns() / 10);
    }

    private static void awaitTurns(Workload work) {
        int before = work.turns();
        eventually(
                Duration.ofSeconds(20), () -> assertThat(work.turns() - before).isGreaterThan(20));
    }

    @Test
    @Timeout(60)
    void aMajorityIsEnoughToConnect() throws Exception {
        servers.get(0).kill();
        LockClient client = connectQuorum(urls(), Clients.quick().connectTimeout(Duration.ofMinutes(5)), PATIENT);

        client.getLock(NAME).acquire().close();
    }

    /** The majority's own time: not the hung servers' node timeout, and not the command timeout. */
    @Tag("proof")
    @Test
    void aHungMinorityDoesNotDelay() throws Exception {
        LockClient client = warm(connectQuorum(
                urls(),
                QuorumOptions.builder().nodeTimeout(Duration.ofMillis(450)).build()));
        pause(servers.subList(0, 2));
        RLock lock = client.getLock(NAME);
        int slow = 0;
        for (int i = 0; i < 50; i++) {
            long startNanos = System.nanoTime();
            lock.lock();
            lock.unlock();
            slow += System.nanoTime() - startNanos > TimeUnit.MILLISECONDS.toNanos(400) ? 1 : 0;
        }
        assertThat(slow).isLessThan(5);
    }

    @Tag("proof")
    @Test
    void withoutAMajorityNothingIsGrantedAndNothingIsLeft() throws Exception {
        LockClient client = warm(connectQuorum());
        pause(servers.subList(0, 2));
        servers.get(2).kill();
        RLock lock = client.getLock(NAME);
        assertThatThrownBy(() -> lock.tryLock(300, TimeUnit.MILLISECONDS))
                .isInstanceOf(LockException.class)
                .extracting(failure -> ((LockFailure) failure).reason())
                .isEqualTo(FailureReason.NO_MAJORITY);
        eventually(
                () -> assertThat(keepers(servers.subList(3, 5).stream(), NAME)).isZero());
        resume(servers.subList(0, 2));
        awaitNothingLeft();
        assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
    }

    /** Releases that two servers never heard of are repeated until they are back; the leases are far from over. */
    @Tag("proof")
    @Test
    void aReleaseThatTwoServersMissedIsSettledWhenTheyAreBack() throws Exception {
        List<FaultProxy> proxies = proxies();
        LockClient client = warm(connectQuorum(urlsOf(proxies), PATIENT));
        LockHold hold = client.getLock(NAME).acquire();
        awaitKeepers(5);
        proxies.subList(0, 2).forEach(FaultProxy::swallowRequests);
        hold.close();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        eventually(
                () -> assertThat(keepers(servers.subList(2, 5).stream(), NAME)).isZero());
        assertThat(keepers(servers.subList(0, 2).stream(), NAME)).isEqualTo(2);
        proxies.forEach(FaultProxy::heal);
        awaitNothingLeft();
    }

    /** As before, when the servers did hear of it, and only their answers were lost. */
    @Tag("proof")
    @Test
    void aReleaseWhoseRepliesTwoServersLostIsOver() throws Exception {
        List<FaultProxy> proxies = proxies();
        LockClient client = warm(connectQuorum(urlsOf(proxies), PATIENT));
        RLock lock = client.getLock(NAME);
        for (int round = 0; round < 5; round++) {
            LockHold hold = lock.tryAcquire(Duration.ofSeconds(5)).orElseThrow();
            proxies.subList(0, 2).forEach(FaultProxy::swallowReplies);
            hold.close();
            assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
            proxies.forEach(FaultProxy::heal);
            awaitNothingLeft();
        }
    }

    /** The other owner gets the lock though two servers still keep the field of the last one. */
    @Tag("proof")
    @Test
    void whatTwoServersStillKeepDoesNotKeepTheNextOwnerOut() throws Exception {
        List<FaultProxy> proxies = proxies();
        LockClient client = warm(connectQuorum(urlsOf(proxies), PATIENT));
        LockHold hold = client.getLock(NAME).acquire();
        long token = hold.fencingToken();
        awaitKeepers(5);
        proxies.subList(0, 2).forEach(FaultProxy::swallowRequests);
        hold.close();
        LockHold next = closing(LockClient.connectQuorum(urls(), Clients.quick().build(), PATIENT))
                .getLock(NAME)
                .tryAcquire(Duration.ofSeconds(1))
                .orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(token);
        proxies.forEach(FaultProxy::heal);
        eventually(
                () -> assertThat(keepers(servers.subList(0, 2).stream(), NAME)).isZero());
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        next.close();
    }
}
