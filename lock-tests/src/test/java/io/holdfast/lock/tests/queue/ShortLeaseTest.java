package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fixed leases that are shorter than the claim window, of calls that had to wait (rule 130). */
@Tag("proof")
class ShortLeaseTest extends QueueTest {

    private static final Duration LEASE = Duration.ofMillis(150);
    private static final Duration SOON = Duration.ofMillis(600);

    /** The call behind was told of the reservation; the claim, which ends before that, tells it to look again. */
    @ParameterizedTest
    @ValueSource(strings = {"fair", "read", "write"})
    void theNextCallComesWhenTheLeaseIsOver(String kind) throws Exception {
        LockHold first = fair(client).acquire();
        RFuture<LockHold> brief = queued(of(client, kind).withLease(LEASE));
        RFuture<LockHold> next = queued(fair(other));
        awaitSubscribers(2);
        awaitQuiet();
        first.close();
        get(brief);
        long granted = System.nanoTime();
        get(next).close();
        assertThat(Duration.ofNanos(System.nanoTime() - granted)).isLessThan(SOON);
    }

    private static RLock of(LockClient client, String kind) {
        return switch (kind) {
            case "fair" -> fair(client);
            case "read" -> reading(client);
            default -> writing(client);
        };
    }
}
