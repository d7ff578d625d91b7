package io.holdfast.lock.tests.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens in the model of the queue: how long what is waited for may be idle is not said too generously. */
@Tag("proof")
@Tag("once")
class QueueModelTest {

    @Test
    void oneDeathCostsMoreThanOneClaimWindow() {
        assertThat(canBe(
                        QueueBounds.TWO_DIE,
                        state -> state.crashes == 1 && state.witness.idle > QueueBounds.TWO_DIE.scope.window))
                .isTrue();
    }

    @Test
    void theClientThatIsNamedAndThatOfItsDeputyAreDead() {
        assertThat(canBe(
                        QueueBounds.TWO_DIE,
                        state -> isNamedDead(state)
                                && !state.server.queue.isEmpty()
                                && !state.clients.get(QueueBounds.TWO_DIE.scope.clientOf(
                                                state.server.queue.get(0).call()))
                                        .alive
                                && state.witness.idle > 0))
                .isTrue();
    }

    /** The others look when the lease that they know of would be over, and then wait for a claim window of the deputy's client. */
    @Test
    @Tag("long")
    void twoDeathsCostMoreThanTwoClaimWindowsWhereALeaseIsLong() {
        assertThat(canBeIdle(QueueBounds.LONG_TWO_DIE, 2 * QueueBounds.LONG_TWO_DIE.scope.window))
                .isTrue();
    }

    @Test
    void aReaderBehindADeadWriterWaitsUntilItLooksAfterThePresence() {
        assertThat(canBeIdle(QueueBounds.DEAD_WRITER, QueueBounds.DEAD_WRITER.scope.presence))
                .isTrue();
    }

    @Test
    void aCallBehindADeadOneForMorePermitsWaitsForItsLook() {
        assertThat(canBeIdle(QueueBounds.PERMITS_BEHIND, QueueBounds.PERMITS_BEHIND.scope.presence))
                .isTrue();
    }

    private static boolean isNamedDead(QueueState state) {
        return IntStream.range(0, state.clients.size())
                .anyMatch(client -> !state.clients.get(client).alive && state.server.reservesFor(client));
    }

    /** Whether what a living call waits for can be idle for longer. */
    private static boolean canBeIdle(QueueBounds bounds, int ticks) {
        return canBe(bounds, state -> state.witness.idle > ticks);
    }

    private static boolean canBe(QueueBounds bounds, Predicate<QueueState> wanted) {
        return Narrowed.canBe(new QueueModel(EnumSet.allOf(QueueRule.class), bounds), wanted, 2_000_000);
    }
}
