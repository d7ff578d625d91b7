package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.RFuture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What permits cost in commands; they are counted at the server. */
class PermitCountsTest extends PermitTest {

    private static final int ROUNDS = 20;

    @Test
    void uncontendedAPermitIsTwoCommands() throws Exception {
        slots(client).setPermits(2);
        slots(client).release(slots(client).acquire());
        long before = scripts();
        for (int round = 0; round < ROUNDS; round++) {
            slots(client).release(slots(client).acquire());
            semaphore(client).acquire();
            semaphore(client).release();
        }
        assertThat(scripts() - before).isEqualTo(4L * ROUNDS);
    }

    /** Join, claim, part: of two clients that wait in turn. */
    @Test
    void contendedAPermitIsThreeCommands() throws Exception {
        slots(client).setPermits(1);
        String first = slots(client).acquire();
        List<RFuture<String>> calls =
                new ArrayList<>(List.of(queued(slots(other)::acquireAsync), queued(slots(client)::acquireAsync)));
        awaitSubscribers(2);
        long before = scripts();
        for (int round = 0; round < ROUNDS; round++) {
            calls.add(queued(slots(round % 2 == 0 ? other : client)::acquireAsync));
        }
        slots(client).release(first);
        for (int i = 0; i < calls.size(); i++) {
            slots(i % 2 == 0 ? other : client).release(get(calls.get(i)));
        }
        // Beside them: the release of the first, and claim and release of the two that came before, which looked once
        // each.
        assertThat(scripts() - before).isLessThanOrEqualTo(3L * ROUNDS + 1 + 2 * 2 + 2);
    }
}
