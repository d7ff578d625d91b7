package io.holdfast.lock.engine.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.lock.LockOptions;
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
        assertThat(Lease.unnamed(LockOptions.defaults())).isEqualTo(new Lease(30_000, true));
        assertThat(Lease.unnamed(OPTIONS)).isEqualTo(new Lease(3_000, false));
    }

    @Test
    void minusOneIsTheWatchdogInEveryUnitEvenIfTheOptionsFixALease() {
        for (TimeUnit unit : TimeUnit.values()) {
            assertThat(Lease.of(-1, unit, OPTIONS)).isEqualTo(new Lease(7_000, true));
        }
    }

    @Test
    void aNamedLeaseIsNotRenewed() {
        assertThat(Lease.of(5, TimeUnit.SECONDS, OPTIONS)).isEqualTo(new Lease(5_000, false));
        assertThat(Lease.of(Duration.ofSeconds(5))).isEqualTo(new Lease(5_000, false));
        assertThat(Lease.of(10, TimeUnit.MILLISECONDS, OPTIONS)).isEqualTo(new Lease(10, false));
    }

    @Test
    void aLeaseServesWhoNamesTheSameLengthAgain() {
        Lease lease = Lease.of(5, TimeUnit.SECONDS, OPTIONS);
        assertThat(lease.isNamed(5, TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isNamed(5_000, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(lease.isNamed(4_999, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(lease.isNamed(-1, TimeUnit.SECONDS)).isFalse();
        assertThat(Lease.unnamed(LockOptions.defaults()).isNamed(30, TimeUnit.SECONDS))
                .as("the watchdog's")
                .isFalse();
        assertThatNullPointerException()
                .isThrownBy(() -> lease.isNamed(5, null))
                .withMessage("unit");
    }

    @Test
    void aLeaseTooShortIsRefusedInTheWordsOfTheCaller() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lease.of(9_999, TimeUnit.MICROSECONDS, OPTIONS))
                .withMessage("lease: 9999 MICROSECONDS (expected: at least 10 ms, or -1 for the watchdog)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lease.of(-2, TimeUnit.SECONDS, OPTIONS))
                .withMessageContaining("-2 SECONDS");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lease.of(Duration.ZERO))
                .withMessage("lease: PT0S (expected: at least 10 ms)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lease.of(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageContaining("at least 10 ms");
        assertThatNullPointerException()
                .isThrownBy(() -> Lease.of(-1, null, OPTIONS))
                .withMessage("unit");
    }

    @Test
    void aLeaseWithoutEndIsCutToTenYears() {
        assertThat(Lease.of(Long.MAX_VALUE, TimeUnit.DAYS, OPTIONS)).isEqualTo(new Lease(LONGEST, false));
        assertThat(Lease.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(new Lease(LONGEST, false));
        assertThat(Lease.validUntil(0, LONGEST)).isPositive();
    }

    @Test
    void aHundredthOfTheLeaseAndTwoMillisecondsAreNotReliedOn() {
        assertThat(Lease.marginNanos(30_000)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(302));
        assertThat(Lease.validUntil(-5, 30_000)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(29_698) - 5);
        assertThat(Lease.validUntil(0, LockOptions.MIN_LEASE.toMillis())).isPositive();
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
            long covered =
                    Lease.validUntil(0, Lease.covering(validity, answerNanos).millis()) - answerNanos;
            assertThat(covered)
                    .as("what is left of %s", validity)
                    .isBetween(validity.toNanos(), validity.plusMillis(2).toNanos());
        }
    }

    @Test
    void theLeaseThatCoversAShortValidityIsNoneThatIsTooShort() {
        assertThat(Lease.covering(Duration.ofMillis(1), TimeUnit.MILLISECONDS.toNanos(2)))
                .isEqualTo(new Lease(LockOptions.MIN_LEASE.toMillis(), false));
    }

    @Test
    void aValidityThatNoLeaseCoversIsRefused() {
        for (Duration validity :
                List.of(Duration.ofDays(3_650), Duration.ofDays(4_000), Duration.ofMillis(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Lease.covering(validity, 0))
                    .withMessageStartingWith("validity: " + validity + " (expected: at most PT86723H59M59.998S)");
        }
    }

    @Test
    void anExtensionThatIsTooLongIsRefused() {
        assertThat(Lease.ofExtension(Duration.ofMillis(LONGEST))).isEqualTo(new Lease(LONGEST, false));
        for (Duration lease : List.of(Duration.ofDays(4_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Lease.ofExtension(lease))
                    .withMessage("lease: " + lease + " (expected: at most PT87600H)");
        }
    }

    @Test
    void noLeaseIsLongerThanTheLongestHold() {
        LockOptions options = LockOptions.builder()
                .lease(Duration.ofSeconds(5))
                .maxHold(Duration.ofSeconds(10))
                .build();
        assertThat(Lease.of(-1, TimeUnit.SECONDS, options)).isEqualTo(new Lease(10_000, true));
        assertThat(Lease.of(10, TimeUnit.SECONDS, options)).isEqualTo(new Lease(10_000, false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lease.of(11, TimeUnit.SECONDS, options))
                .withMessage("lease: 11 SECONDS (expected: at most maxHold, PT10S)");
        assertThatIllegalArgumentException().isThrownBy(() -> Lease.of(Duration.ofMinutes(1), options));
    }
}
