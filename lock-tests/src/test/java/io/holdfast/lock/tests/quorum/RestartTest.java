package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Row 45: a server that granted a lock dies, and is back without its data while the lock is held. Of three servers the
 * holder has two; the third has never heard of it. The forgetful one and that one would be a majority. It must not count,
 * neither for clients that saw the restart nor for those that start after it.
 */
@RedisTest(servers = 3, freshPerTest = true)
class RestartTest extends QuorumTest {

    private static final Duration LONGEST_LEASE = Duration.ofSeconds(2);
    /** Uptimes are told in whole seconds; a fleet that is younger than this is let in as a whole. */
    private static final Duration OLD = LONGEST_LEASE.plusSeconds(2);

    private static final QuorumOptions GUARDED =
            PATIENT.toBuilder().longestLease(LONGEST_LEASE).build();

    private LockHold hold;

    @Test
    @Tag("proof")
    void aForgetfulServerLetsNobodyInWhileTheFirstOwnerIsValid() throws Exception {
        LockClient unguarded =
                connectQuorum(urls(), GUARDED.toBuilder().restartGuard(false).build());
        LockClient before = warm(connectQuorum(urls(), GUARDED));
        forgetWhatIsHeld();
        LockClient after = connectQuorum(urls(), GUARDED);
        long token = hold.fencingToken();

        // The fault is real: who does not look at restarts is let in.
        try (LockHold second =
                unguarded.getLock(NAME).tryAcquire(Duration.ofMillis(500)).orElseThrow()) {
            assertThat(second.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
        }
        assertLetInLater(before, token);
        assertLetInLater(after, token);
    }

    /** A holder at servers 0 and 1, that hears no more of them afterwards, and a restart of server 1. */
    private void forgetWhatIsHeld() throws Exception {
        long startNanos = System.nanoTime();
        await().atMost(OLD.multipliedBy(2)).until(() -> System.nanoTime() - startNanos > OLD.toNanos());
        List<FaultProxy> proxies = proxies();
        LockClient holder = warm(connectQuorum(urlsOf(proxies), GUARDED));
        proxies.get(2).swallowRequests();
        hold = holder.getLock(NAME).withLease(LONGEST_LEASE).acquire();
        assertThat(keepers(servers.stream(), NAME)).isEqualTo(2);
        proxies.forEach(proxy -> {
            proxy.swallowRequests();
            proxy.refuse();
        });
        closing(() -> proxies.forEach(FaultProxy::heal));
        servers.get(1).kill();
        servers.get(1).restart();
    }

    private void assertLetInLater(LockClient client, long token) throws Exception {
        long startNanos = System.nanoTime();
        Optional<LockHold> second = Optional.empty();
        while (second.isEmpty()) {
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos))
                    .isLessThan(20);
            try {
                second = client.getLock(NAME).tryAcquire(Duration.ofMillis(100));
            } catch (LockException noMajority) {
                assertThat(noMajority)
                        .hasMessageContaining(Integer.toString(servers.get(1).port()));
            }
        }
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(second.get().fencingToken()).isGreaterThan(token);
        second.get().close();
    }
}
