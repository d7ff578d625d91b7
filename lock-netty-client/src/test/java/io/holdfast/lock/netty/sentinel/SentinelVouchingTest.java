package io.holdfast.lock.netty.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Vouching;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When what a majority of all Sentinels names counts for a client, and how the client hears of it. */
class SentinelVouchingTest {

    private static final long SILENCE = 5_000;
    private static final Target.Host A = new Target.Host("a", 6379);
    private static final Target.Host B = new Target.Host("b", 6379);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Clock clock = new Clock();
    private final Vouchings vouchings = new Vouchings("orders", clock);
    private final List<Long> told = new ArrayList<>();
    private SentinelVouching vouching;
    private int begun;

    @BeforeEach
    void begin() {
        channel.freezeTime();
        vouching = vouchings.add(channel.eventLoop(), SILENCE, () -> begun++);
        vouching.listen(() -> told.add(vouching.epoch()));
    }

    @AfterEach
    void noTimerIsLeft() {
        vouchings.end();
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
        channel.finishAndReleaseAll();
    }

    @Test
    void itCountsWhereLinksLeadToWhatIsNamed() {
        vouchings.consider(named(A, 3, clock.nanos));
        assertNotVouched();
        vouchings.leadTo(A);
        assertVouched(3, clock.nanos + SILENCE);
        vouchings.leadTo(B);
        assertNotVouched();
        vouchings.leadTo(A);
        assertThat(told).containsExactly(3L, Vouching.NO_EPOCH, 3L);
    }

    @Test
    void itCountsFromWhenTheQuestionsWereSent() {
        long sent = clock.nanos - 2_000;
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, sent, sent + 1_000, sent + 500));
        assertVouched(3, sent + 500 + SILENCE);
    }

    @Test
    void itRunsOutByItself() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        pass(SILENCE - 1);
        assertVouched(3, clock.nanos + 1);
        assertThat(told).containsExactly(3L);
        pass(1);
        assertNotVouched();
        assertThat(told).containsExactly(3L, Vouching.NO_EPOCH);
    }

    @Test
    void anAnswerMakesItLaterWithoutATask() {
        vouchings.leadTo(A);
        for (int i = 0; i < 10; i++) {
            vouchings.consider(named(A, 3, clock.nanos));
            pass(SILENCE - 1);
        }
        assertThat(told).containsExactly(3L);
        assertVouched(3, clock.nanos + 1);
        pass(1);
        assertThat(told).containsExactly(3L, Vouching.NO_EPOCH);
    }

    /** A thread that asked meanwhile was told "none", and waits for a task. */
    @Test
    void whatHasRunOutBeforeItsTimerLookedIsToldWhenItIsBack() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        clock.nanos += SILENCE;
        assertNotVouched();
        vouchings.consider(named(A, 3, clock.nanos));
        assertVouched(3, clock.nanos + SILENCE);
        assertThat(told).containsExactly(3L, 3L);
    }

    /** The clock goes on between the moment in which a thread is told "none" and that in which the loop looks at it. */
    @Test
    void whatRunsOutInTheMomentInWhichItIsReplacedIsToldAsWell() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        clock.nanos += SILENCE - 1;
        clock.perReading = 1;
        vouchings.consider(named(A, 3, clock.nanos));
        assertThat(told).containsExactly(3L, 3L);
    }

    @Test
    void anotherEpochIsTold() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        vouchings.consider(named(A, 5, clock.nanos));
        assertVouched(5, clock.nanos + SILENCE);
        assertOver(3);
        assertThat(told).containsExactly(3L, 5L);
    }

    @Test
    void anotherPrimaryIsNoneUntilLinksLeadThere() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        vouchings.consider(named(B, 4, clock.nanos));
        assertNotVouched();
        vouchings.leadTo(B);
        assertVouched(4, clock.nanos + SILENCE);
        assertOver(3);
        assertThat(told).containsExactly(3L, Vouching.NO_EPOCH, 4L);
    }

    @Test
    void anEpochThatIsLoweredNeverCounts() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        vouchings.consider(named(A, 2, clock.nanos));
        assertNotVouched();
        assertOver(2);
        vouchings.leadTo(B);
        vouchings.consider(named(B, 2, clock.nanos));
        assertNotVouched();
        vouchings.consider(named(B, 4, clock.nanos));
        assertVouched(4, clock.nanos + SILENCE);
    }

    /** Where it has led does not matter: the epoch may have been lived through elsewhere. */
    @Test
    void anEpochIsLoweredAlsoWhereLinksNeverLedToTheHigherOne() {
        vouchings.leadTo(A);
        vouchings.consider(named(B, 4, clock.nanos));
        vouchings.consider(named(A, 3, clock.nanos));
        assertNotVouched();
    }

    @Test
    void anEpochNamesOneServer() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        vouchings.leadTo(B);
        vouchings.consider(named(B, 3, clock.nanos));
        assertNotVouched();
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        assertVouched(3, clock.nanos + SILENCE);
    }

    @Test
    void oneSentinelMoreMayMakeItSooner() {
        long before = clock.nanos - 3_000;
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        pass(1_000);
        vouchings.consider(named(A, 3, before, clock.nanos));
        assertVouched(3, before + SILENCE);
        pass(before + SILENCE - clock.nanos);
        assertThat(told).containsExactly(3L, Vouching.NO_EPOCH);
    }

    @Test
    void eachClientHasItsOwnSilence() {
        SentinelVouching patient = vouchings.add(channel.eventLoop(), 2 * SILENCE, () -> begun++);
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        pass(SILENCE);
        assertNotVouched();
        assertThat(patient.epoch()).isEqualTo(3);
        assertThat(patient.untilNanos(3)).isEqualTo(clock.nanos + SILENCE);
    }

    @Test
    void roundsAreAsOftenAsTheShortestSilenceWants() {
        assertThat(vouchings.longestPauseNanos()).isEqualTo(SILENCE / 4);
        vouchings.add(channel.eventLoop(), SILENCE / 2, () -> begun++);
        vouchings.add(channel.eventLoop(), 2 * SILENCE, () -> begun++);
        assertThat(vouchings.longestPauseNanos()).isEqualTo(SILENCE / 8);
        assertThat(new Vouchings("orders", clock).longestPauseNanos()).isEqualTo(Long.MAX_VALUE);
    }

    /** The connections of a client may be another client's as well, and be up already. */
    @Test
    void aClientThatComesLaterIsToldWhatCountsAlready() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        SentinelVouching later = vouchings.add(channel.eventLoop(), SILENCE, () -> begun++);
        channel.runPendingTasks();
        assertThat(later.epoch()).isEqualTo(3);
    }

    @Test
    void aTaskThatFailsKeepsNoOtherFromBeingRun() {
        SentinelVouching other = vouchings.add(channel.eventLoop(), SILENCE, () -> begun++);
        other.listen(() -> {
            throw new IllegalStateException("of the test");
        });
        other.listen(() -> told.add(99L));
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        assertThat(told).containsExactly(3L, 99L);
    }

    /** A lazy client looks for its server when it needs it, and it needs it to know whether it counts. */
    @Test
    void theFirstQuestionBeginsTheSearchAndNoOtherDoes() {
        assertThat(begun).isZero();
        assertNotVouched();
        assertNotVouched();
        assertThat(begun).isEqualTo(1);
    }

    @Test
    void noEpochIsNeverVouchedFor() {
        assertOver(Vouching.NO_EPOCH);
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        assertOver(Vouching.NO_EPOCH);
    }

    @Test
    void afterItsEndNothingCountsAndNothingIsTold() {
        vouchings.leadTo(A);
        vouchings.consider(named(A, 3, clock.nanos));
        vouchings.end();
        assertNotVouched();
        vouchings.consider(named(A, 4, clock.nanos));
        assertNotVouched();
        assertThat(told).containsExactly(3L);
    }

    private void assertVouched(long epoch, long untilNanos) {
        assertThat(vouching.epoch()).isEqualTo(epoch);
        assertThat(vouching.untilNanos(epoch)).isEqualTo(untilNanos);
    }

    private void assertNotVouched() {
        assertThat(vouching.epoch()).isEqualTo(Vouching.NO_EPOCH);
        for (long epoch = 0; epoch < 10; epoch++) {
            assertOver(epoch);
        }
    }

    private void assertOver(long epoch) {
        assertThat(vouching.untilNanos(epoch) - clock.nanos).isLessThanOrEqualTo(0);
    }

    /** What as many Sentinels say as there are times. */
    private static Warrant named(Target.Host primary, long epoch, long... sentNanos) {
        Word word = new Word(primary, epoch);
        int[] number = {0};
        List<DatedTestimony> said = Arrays.stream(sentNanos)
                .mapToObj(sent -> new DatedTestimony(
                        new Testimony("node", "id" + number[0]++, word, false, List.of(), 0, ""), sent))
                .toList();
        return Warrant.of(said, said.size());
    }

    private void pass(long nanos) {
        clock.nanos += nanos;
        channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    /** A clock that stands still until it is told to go on, or read. */
    private static final class Clock implements Runtime {

        private long nanos = Long.MAX_VALUE - 1_000;
        private long perReading;

        @Override
        public long nanos() {
            nanos += perReading;
            return nanos;
        }

        @Override
        public Timer after(long delayNanos, Runnable step) {
            throw new UnsupportedOperationException("Sentinels use their event loop's timers");
        }

        @Override
        public long random(long bound) {
            return 0;
        }

        @Override
        public Executor steps() {
            return Runnable::run;
        }

        @Override
        public Executor callbacks() {
            throw new UnsupportedOperationException("no code of users is called");
        }

        @Override
        public Blocker blocker() {
            throw new UnsupportedOperationException("nothing waits");
        }
    }
}
