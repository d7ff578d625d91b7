package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RFuture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Permits go to calls in the order in which they came; a call that asks for more than there are is told so (rules 55, 56). */
class PermitOrderTest extends PermitTest {

    @Test
    void callsAreServedInTheirOrderWhateverTheirClient() throws Exception {
        slots(client).setPermits(1);
        String first = slots(client).acquire();
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<RFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            var own = slots(i % 2 == 0 ? other : client);
            RFuture<String> call = queued(own::acquireAsync);
            call.thenAccept(permit -> {
                served.add(number);
                own.releaseAsync(permit);
            });
            calls.add(call);
        }
        slots(client).release(first);
        calls.forEach(call -> get(call));
        eventually(() -> assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7));
    }

    @Test
    void calledForTogetherTheyAreGivenTogetherAsFarAsTheyReach() throws Exception {
        slots(client).setPermits(4);
        List<String> all = slots(client).acquire(4);
        List<RFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(queued(slots(i % 2 == 0 ? other : client)::acquireAsync));
        }
        slots(client).release(all.subList(0, 3));
        for (int i = 0; i < 3; i++) {
            get(calls.get(i));
        }
        assertThat(waiting()).hasSize(3);
        slots(client).release(all.get(3));
        for (int i = 0; i < 6; i++) {
            slots(i % 2 == 0 ? other : client).release(get(calls.get(i)));
        }
    }

    @Test
    void moreThanTheLimitIsRefusedAtOnce() {
        slots(client).setPermits(2);
        assertThatThrownBy(() -> slots(client).acquire(3))
                .isInstanceOf(LockServerException.class)
                .hasMessageContainingAll("semaphore '" + NAME + "'", client.id(), "127.0.0.1:", "at most the limit, 2")
                .satisfies(told ->
                        assertThat(((LockServerException) told).reason()).isEqualTo(FailureReason.ABOVE_LIMIT));
        assertThatThrownBy(() -> semaphore(client).tryAcquire(3)).isInstanceOf(LockServerException.class);
        assertThat(waiting()).isEmpty();
    }

    /** It would wait for ever, and those behind it with it. */
    @Test
    void aCallThatALowerLimitMakesTooLargeEnds() throws Exception {
        slots(client).setPermits(3);
        String held = slots(client).acquire();
        RFuture<List<String>> large = queued(() -> slots(other).acquireAsync(3));
        RFuture<String> small = queued(() -> slots(client).acquireAsync());
        awaitSubscribers(2);
        slots(client).setPermits(2);
        assertThatThrownBy(() -> get(large)).hasStackTraceContaining("at most the limit, 2");
        slots(client).release(List.of(held, get(small)));
    }
}
