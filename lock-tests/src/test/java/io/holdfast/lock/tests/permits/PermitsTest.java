package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Permits that are given back by their ids, or by a handle (rule 55). */
class PermitsTest extends PermitTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @BeforeEach
    void setLimit() {
        slots(client).setPermits(3);
    }

    @Test
    void anotherClientReleasesAPermitByItsId() throws Exception {
        LockHold hold = slots(client).tryAcquireHold(Duration.ZERO, LEASE).orElseThrow();
        String id = taken().get(0);
        assertThat(slots(other).updateLeaseTime(id, 60, SECONDS)).isTrue();
        assertThat(Long.parseLong(raw.text("ZSCORE", PERMITS, id))).isGreaterThan(System.currentTimeMillis() + 50_000);
        assertThat(slots(other).updateLeaseTime(id, 1, SECONDS))
                .as("never shortened")
                .isTrue();
        assertThat(Long.parseLong(raw.text("ZSCORE", PERMITS, id))).isGreaterThan(System.currentTimeMillis() + 50_000);
        slots(other).release(id);
        assertThat(taken()).isEmpty();
        assertThat(slots(other).updateLeaseTime(id, 1, SECONDS)).isFalse();
        assertThatThrownBy(() -> hold.extend(LEASE)).hasMessageContaining("was lost");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    /** A client that died leaves many leases, of whose end no message tells. */
    @Test
    void eachCallHearsOfTheNextLeaseThatIsOver() throws Exception {
        slots(client).setPermits(2);
        long now = System.currentTimeMillis();
        raw.command("ZADD", PERMITS, Long.toString(now + 500), "dead:h1:1", Long.toString(now + 1_500), "dead:h1:2");
        long startNanos = System.nanoTime();
        RFuture<String> one = queued(slots(client)::acquireAsync);
        RFuture<String> two = queued(slots(client)::acquireAsync);
        slots(client).release(List.of(get(one), get(two)));
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void itsOwnClientMakesItLastLonger() throws Exception {
        LockHold hold = slots(client)
                .tryAcquireHold(Duration.ZERO, Duration.ofSeconds(5))
                .orElseThrow();
        String id = taken().get(0);
        assertThat(slots(client).updateLeaseTime(id, 60, SECONDS)).isTrue();
        assertThat(hold.validFor()).isGreaterThan(Duration.ofSeconds(50));
        slots(client).release(id);
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(slots(client).tryRelease(id)).isFalse();
    }
}
