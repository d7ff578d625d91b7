package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.RFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The semaphore whose permits belong to the client (rules 57, 123). */
class SemaphoreTest extends PermitTest {

    @BeforeEach
    void setLimit() {
        semaphore(client).trySetPermits(4);
    }

    @Test
    void aThreadReleasesWhatItTookItself() throws Exception {
        get(semaphore(client).acquireAsync());
        String ofNoThread = taken().get(0);
        semaphore(client).acquire(3);
        semaphore(client).release(3);
        assertThat(taken()).containsExactly(ofNoThread);
        semaphore(client).release();
    }

    @Test
    void moreThanThisClientHasAreNotReleased() throws Exception {
        semaphore(other).acquire(2);
        semaphore(client).acquire();
        String byId = slots(client).acquire();
        long before = scripts();
        assertThatThrownBy(() -> semaphore(client).release(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "semaphore '" + NAME + "'",
                        client.id(),
                        "2 to be released, and this client holds 1",
                        "setPermits",
                        "release(permitId)");
        assertThat(scripts()).as("nothing was sent").isEqualTo(before);
        assertThat(taken()).hasSize(4);
        semaphore(client).release();
        semaphore(other).release(2);
        slots(client).release(byId);
        assertThatThrownBy(() -> semaphore(client).release()).hasMessageContaining("this client holds 0");
    }

    @Test
    void drainsAllThatAreLeft() throws Exception {
        semaphore(client).setPermits(40);
        semaphore(other).acquire(3);
        assertThat(semaphore(client).drainPermits()).isEqualTo(37);
        assertThat(get(semaphore(other).drainPermitsAsync())).isZero();
        semaphore(client).release(30);
        assertThat(get(semaphore(other).drainPermitsAsync())).isEqualTo(30);
        semaphore(client).release(7);
        semaphore(other).release(33);
    }

    @Test
    void takesNoneOfWhatOthersWaitFor() throws Exception {
        semaphore(other).acquire(2);
        RFuture<Void> waits = queued(() -> semaphore(other).acquireAsync(3));
        assertThat(semaphore(client).drainPermits()).isZero();
        semaphore(other).release(2);
        get(waits);
        semaphore(other).release(3);
    }

    /** Those that were lost are not the client's any more, and the limit stands. */
    @Test
    void aPermitThatWasLostIsNotReleased() throws Exception {
        semaphore(client).acquire();
        raw.command("DEL", PERMITS);
        semaphore(other).acquire(4);
        assertThatThrownBy(() -> semaphore(client).release()).hasMessageContaining("was lost");
        assertThat(taken()).hasSize(4);
        semaphore(other).release(4);
    }

    @Test
    void aWaitEndsWithItsCall() throws Exception {
        semaphore(other).acquire(4);
        RFuture<Void> waits = queued(() -> semaphore(client).acquireAsync(2));
        assertThat(semaphore(client).tryAcquire(1, Duration.ofMillis(30))).isFalse();
        assertThat(get(semaphore(client).tryAcquireAsync(30, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThat(get(semaphore(client).tryAcquireAsync(2, 30, TimeUnit.MILLISECONDS)))
                .isFalse();
        waits.cancel(true);
        awaitWaiting(0);
        semaphore(other).release(4);
        assertThat(semaphore(client).availablePermits()).isEqualTo(4);
    }
}
