package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An event loop that looks for work before it sleeps, as long as that pays. */
class EagerSelectTest {

    private static final IntSupplier NOTHING = () -> 0;

    private long now;
    private long stepNanos = 1_000;
    private final EagerSelect select = new EagerSelect() {
        @Override
        long nanos() {
            return now += stepNanos;
        }
    };

    @BeforeEach
    void needsTwoProcessors() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "with a single processor it never looks");
    }

    @Test
    void whatIsReadyIsSaidAtOnce() throws Exception {
        assertThat(select.calculateStrategy(() -> 3, false)).isEqualTo(3);
        assertThat(select.calculateStrategy(() -> 2, true)).isEqualTo(2);
    }

    @Test
    void tasksAreNeverKeptWaiting() throws Exception {
        select.calculateStrategy(NOTHING, false);

        assertThat(select.calculateStrategy(NOTHING, true)).isZero();
    }

    @Test
    void itLooksForAMomentAndThenSleeps() throws Exception {
        assertThat(select.calculateStrategy(NOTHING, false)).isEqualTo(SelectStrategy.CONTINUE);
        assertThat(looksUntilItSleeps()).isEqualTo(49);
    }

    @Test
    void itStopsLookingWhereOthersWantTheProcessor() throws Exception {
        stepNanos = 1_000_000;
        assertThat(looksUntilItSleeps()).isEqualTo(1);
        stepNanos = 1_000;

        assertThat(looksUntilItSleeps()).isZero();
    }

    @Test
    void itStopsLookingWhereItNeverPaysAndTriesAgainNowAndThen() throws Exception {
        for (int i = 0; i < 100; i++) {
            looksUntilItSleeps();
        }

        int looked = 0;
        for (int i = 0; i < 64; i++) {
            looked += looksUntilItSleeps() > 0 ? 1 : 0;
        }

        assertThat(looked).isEqualTo(2);
    }

    @Test
    void itLooksAgainWhenThatPays() throws Exception {
        for (int i = 0; i < 100; i++) {
            looksUntilItSleeps();
        }
        while (select.calculateStrategy(NOTHING, false) != SelectStrategy.CONTINUE) {
            // The next trial comes.
        }
        assertThat(select.calculateStrategy(() -> 1, false)).isEqualTo(1);

        assertThat(select.calculateStrategy(NOTHING, false)).isEqualTo(SelectStrategy.CONTINUE);
    }

    private int looksUntilItSleeps() throws Exception {
        int looks = 0;
        while (select.calculateStrategy(NOTHING, false) == SelectStrategy.CONTINUE) {
            looks++;
        }
        return looks;
    }
}
