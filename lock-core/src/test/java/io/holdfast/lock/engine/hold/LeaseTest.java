package io.holdfast.lock.engine.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which lease a call gets, and how much of it may be relied on. */
class LeaseTest {
    private static final long LONGEST = Duration.ofDays(3650).toMillis();
    private static final LockOptions OPTIONS = LockOptions.builder()
            .watchdogLease(Duration.ofSeconds(7))
            .lease(Duration.ofSeconds(3))
            .build();

    @Test
    void aCallThatNamesNoneGetsTheWatchdogUnlessTheOptionsFixALease() {
        assertThat(LeaseTerm.unnamed(LockOptions.defaults())).isEqualTo(new LeaseTerm(30_000, true));
        assertThat(LeaseTerm.unnamed(OPTIONS)).isEqualTo(new LeaseTerm(3_000, false));
    }

    @Test
    void minusOneIsTheWatchdogInEveryUnitEvenIfTheOptionsFixALease() {
        for (TimeUnit unit : TimeUnit.values()) {
            assertThat(LeaseTerm.of(-1, unit, OPTIONS)).isEqualTo(new LeaseTerm(7_000, true));
        }
    }

    @Test
    void aNamedLeaseIsNotRenewed() {
        assertThat(LeaseTerm.of(5, TimeUnit.SECONDS, OPTIONS)).isEqualTo(new LeaseTerm(5_000, false));
        assertThat(LeaseTerm.of(Duration.ofSeconds(5))).isEqualTo(new LeaseTerm(5_000, false));
        assertThat(LeaseTerm.of(10, TimeUnit.MILLISECONDS, OPTIONS)).isEqualTo(new LeaseTerm(10, false));
    }

    @Test
    void aLeaseServesWhoNamesTheSameLengthAgain() {
        LeaseTerm lease = LeaseTerm.of(5, TimeUnit.SECONDS, OPTIONS);
        assertThat(lease.isNamed(5, TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isNamed(5_000, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(lease.isNamed(4_999, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(lease.isNamed(-1, TimeUnit.SECONDS)).isFalse();
        assertThat(LeaseTerm.unnamed(LockOptions.defaults()).isNamed(30, TimeUnit.SECONDS))
                .as("the watchdog's")
                .isFalse();
        assertThatNullPointerException()
                .isThrownBy(() -> lease.isNamed(5, null))
                .withMessage("unit");
    }

    @Test
    void aLeaseTooShortIsRefusedInTheWordsOfTheCaller() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerm.of(9_999, TimeUnit.MICROSECONDS, OPTIONS))
                .withMessage("lease: 9.999 ms (expected: at least 10 ms, or -1 for the watchdog)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerm.of(-2, TimeUnit.SECONDS, OPTIONS))
                .withMessageContaining("-2 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerm.of(Duration.ZERO))
                .withMessage("lease: 0 s (expected: at least 10 ms)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerm.of(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageContaining("at least 10 ms");
        assertThatNullPointerException()
                .isThrownBy(() -> LeaseTerm.of(-1, null, OPTIONS))
                .withMessage("unit");
    }

    @Test
    void aLeaseWithoutEndIsCutToTenYears() {
        assertThat(LeaseTerm.of(Long.MAX_VALUE, TimeUnit.DAYS, OPTIONS)).isEqualTo(new LeaseTerm(LONGEST, false));
        assertThat(LeaseTerm.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(new LeaseTerm(LONGEST, false));
        assertThat(LeaseTerm.validUntil(0, LONGEST)).isPositive();
    }

    @Test
    void aHundredthOfTheLeaseAndTwoMillisecondsAreNotReliedOn() {
        assertThat(LeaseTerm.marginNanos(30_000)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(302));
        assertThat(LeaseTerm.validUntil(-5, 30_000)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(29_698) - 5);
        assertThat(LeaseTerm.validUntil(0, LockOptions.MIN_LEASE.toMillis())).isPositive();
    }

    @Test
    void aLeaseCoversTheValidityThatIsWantedAndNotMuchMore() {
        long answerNanos = TimeUnit.SECONDS.toNanos(1);
        for (Duration validity : List.of(
                Duration.ZERO,
                Duration.ofNanos(1),
                Duration.ofMillis(3),
                Duration.ofSeconds(30),
                Duration.ofDays(1),
                Duration.ofDays(3_600))) {
            long covered = LeaseTerm.validUntil(
                            0, LeaseTerm.covering(validity, answerNanos).millis())
                    - answerNanos;
            assertThat(covered)
                    .as("what is left of %s", validity)
                    .isBetween(validity.toNanos(), validity.plusMillis(2).toNanos());
        }
    }

    @Test
    void theLeaseThatCoversAShortValidityIsNoneThatIsTooShort() {
        assertThat(LeaseTerm.covering(Duration.ofMillis(1), TimeUnit.MILLISECONDS.toNanos(2)))
                .isEqualTo(new LeaseTerm(LockOptions.MIN_LEASE.toMillis(), false));
    }

    @Test
    void aValidityThatNoLeaseCoversIsRefused() {
        for (Duration validity :
                List.of(Duration.ofDays(3_650), Duration.ofDays(4_000), Duration.ofMillis(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseTerm.covering(validity, 0))
                    .withMessageStartingWith(
                            "validity: " + Durations.of(validity) + " (expected: at most 312206399.998 s)");
        }
    }

    @Test
    void anExtensionThatIsTooLongIsRefused() {
        assertThat(LeaseTerm.ofExtension(Duration.ofMillis(LONGEST))).isEqualTo(new LeaseTerm(LONGEST, false));
        for (Duration lease : List.of(Duration.ofDays(4_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LeaseTerm.ofExtension(lease))
                    .withMessage("lease: " + Durations.of(lease) + " (expected: at most 3650 d)");
        }
    }

    @Test
    void noLeaseIsLongerThanTheLongestHold() {
        LockOptions options = LockOptions.builder()
                .lease(Duration.ofSeconds(5))
                .maxHold(Duration.ofSeconds(10))
                .build();
        assertThat(LeaseTerm.of(-1, TimeUnit.SECONDS, options)).isEqualTo(new LeaseTerm(10_000, true));
        assertThat(LeaseTerm.of(10, TimeUnit.SECONDS, options)).isEqualTo(new LeaseTerm(10_000, false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerm.of(11, TimeUnit.SECONDS, options))
                .withMessage("lease: 11 s (expected: at most maxHold, 10 s)");
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseTerm.of(Duration.ofMinutes(1), options));
    }
}
