package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.RFuture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limit is absolute: what is taken stays taken, and nothing is counted up or down (rule 56). */
class PermitLimitTest extends PermitTest {

    @Test
    void withoutALimitThereAreNoPermits() throws Exception {
        assertThat(slots(client).getPermits()).isZero();
        assertThat(slots(client).availablePermits()).isZero();
        assertThat(slots(client).tryAcquire()).isNull();
        RFuture<String> waits = queued(() -> slots(client).acquireAsync());
        assertThat(slots(other).trySetPermits(1)).isTrue();
        slots(client).release(get(waits));
    }

    /** More than one step admits: the claims of those go on, and no call waits for a poll. */
    @Test
    void aLimitForManyAdmitsAllOfThem() {
        List<RFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            calls.add(slots(i % 2 == 0 ? client : other).acquireAsync());
        }
        awaitWaiting(150);
        awaitSubscribers(2);
        slots(client).setPermits(150);
        // A poll comes later.
        eventually(Duration.ofSeconds(4), () -> assertThat(calls).allMatch(RFuture::isDone));
        List<String> ids = calls.stream().map(call -> get(call)).toList();
        List<String> theirs = new ArrayList<>();
        List<String> ours = new ArrayList<>();
        ids.forEach(id -> (id.startsWith(client.id()) ? ours : theirs).add(id));
        slots(client).release(ours);
        slots(other).release(theirs);
    }

    /** One step gives a thousand permits. */
    @Test
    void aLimitForLargeCallsAdmitsAllOfThem() {
        List<RFuture<List<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            calls.add(queued(() -> slots(client).acquireAsync(1_000, 30, SECONDS)));
        }
        awaitSubscribers(1);
        slots(other).setPermits(3_000);
        // A poll comes later.
        eventually(Duration.ofSeconds(4), () -> assertThat(calls).allMatch(RFuture::isDone));
        raw.command("DEL", PERMITS);
    }

    /** Each addition counts once, whichever comes first. */
    @Test
    void additionsOfManyClientsAddUp() {
        slots(client).setPermits(1);
        List<RFuture<Void>> additions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            additions.add(slots(i % 2 == 0 ? client : other).addPermitsAsync(1));
        }
        additions.forEach(addition -> get(addition));
        assertThat(slots(client).getPermits()).isEqualTo(21);
    }

    @Test
    void isNeverNegative() {
        slots(client).setPermits(1);
        assertThatThrownBy(() -> slots(client).addPermits(-2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("semaphore '" + NAME + "': limit: 1 - 2 (expected: 0 to 2147483647 permits in all)");
        assertThat(slots(client).getPermits()).isEqualTo(1);
    }
}
