package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.tests.support.Interruptible;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A caller that gives up, by interrupt or cancel, at every step of an acquisition: no server keeps anything. */
class AbandonTest extends QuorumTest {

    private List<FaultProxy> proxies;
    private RLock lock;

    @BeforeEach
    void connectThroughProxies() throws Exception {
        proxies = proxies();
        lock = warm(connectQuorum(
                        urlsOf(proxies),
                        PATIENT.toBuilder().nodeTimeout(Duration.ofMillis(400)).build()))
                .getLock(NAME);
    }

    @Tag("proof")
    @Test
    void whileRequestsAreUnderWay() throws Exception {
        for (int round = 0; round < 3; round++) {
            proxies.forEach(FaultProxy::holdRequests);
            giveUp();
            proxies.forEach(FaultProxy::heal);
            assertUsable();
        }
    }

    @Tag("proof")
    @Test
    void whileVotesAreAwaited() throws Exception {
        for (int round = 0; round < 3; round++) {
            proxies.subList(0, 3).forEach(FaultProxy::holdReplies);
            giveUp();
            proxies.forEach(FaultProxy::heal);
            assertUsable();
        }
    }

    /** Servers disagree about the token, and the ones that are to be told a higher one do not answer. */
    @Tag("proof")
    @Test
    void whileTheTokenIsAgreedOn() throws Exception {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < raws.size(); i++) {
                raiseTokens(i, (i + 1) * 3_600_000_000L);
            }
            for (FaultProxy proxy : proxies) {
                proxy.delayReplies(Duration.ofMillis(40 + round * 15));
            }
            Interruptible caller = Interruptible.start(lock::lockInterruptibly);
            RFuture<LockHold> call = lock.acquireAsync();
            awaitKeepers(5);
            caller.interrupt();
            call.cancel(false);
            caller.awaitInterrupted();
            proxies.forEach(FaultProxy::heal);
            assertUsable();
        }
    }

    private void raiseTokens(int server, long micros) {
        for (String key : raws.get(server).list("KEYS", "holdfast:token:*")) {
            long newest = Long.parseLong(String.valueOf(raws.get(server).text("GET", key)));
            raws.get(server).command("SET", key, Long.toString(newest + micros));
        }
    }

    /** At many moments around the grant: either the caller has the lock, or nobody has. */
    @Tag("proof")
    @Test
    void aroundTheGrant() throws Exception {
        for (int round = 0; round < 60; round++) {
            Interruptible caller = Interruptible.start(() -> {
                lock.lockInterruptibly();
                lock.unlock();
            });
            RFuture<LockHold> call = lock.acquireAsync();
            call.whenComplete((hold, failure) -> {
                if (hold != null) {
                    hold.releaseAsync();
                }
            });
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50L * round));
            caller.interrupt();
            call.cancel(false);
            caller.awaitEnd();
        }
        assertUsable();
    }

    /** One caller that is interrupted, and one that cancels; both wait for the lock. */
    private void giveUp() {
        Interruptible caller = Interruptible.start(lock::lockInterruptibly);
        RFuture<LockHold> call = lock.acquireAsync();
        caller.awaitParked();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        caller.interrupt();
        assertThat(call.cancel(false)).isTrue();
        caller.awaitInterrupted();
    }

    private void assertUsable() throws Exception {
        awaitNothingLeft();
        assertThat(lock.tryLock(10, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        awaitNothingLeft();
    }
}
