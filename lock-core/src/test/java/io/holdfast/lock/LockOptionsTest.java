package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of locks: their defaults, their limits, and which of them contradict each other. */
class LockOptionsTest {

    @Test
    void theDefaultsAreThoseOfTheTable() {
        LockOptions options = LockOptions.defaults();

        assertThat(options.watchdogLease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.lease()).isEmpty();
        assertThat(options.maxHold()).isEmpty();
        assertThat(options.keyScheme()).isEqualTo(KeyScheme.HOLDFAST);
        assertThat(options.prefix()).isEqualTo("holdfast");
        assertThat(options.listener()).isSameAs(LockListener.NONE);
        assertThat(LockOptions.builder().build()).usingRecursiveComparison().isEqualTo(options);
    }

    @Test
    void aBuilderMadeFromOptionsBuildsThemAgain() {
        LockOptions options = LockOptions.builder()
                .watchdogLease(Duration.ofSeconds(12))
                .lease(Duration.ofSeconds(5))
                .maxHold(Duration.ofSeconds(60))
                .keyScheme(KeyScheme.REDISSON)
                .prefix("shop")
                .listener(new LockListener() {})
                .build();

        assertThat(options.toBuilder().build()).usingRecursiveComparison().isEqualTo(options);
        assertThat(options.toBuilder().build()).hasToString(options.toString());
        assertThat(options.toString())
                .contains("watchdogLease=PT12S", "lease=PT5S", "maxHold=PT1M", "REDISSON", "shop");
    }

    @Test
    void aTimeOutOfRangeIsRefusedByItsName() {
        LockOptions.Builder builder = LockOptions.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.watchdogLease(Duration.ofMillis(99)))
                .withMessage("watchdogLease: PT0.099S (expected: at least PT0.1S)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.lease(Duration.ofMillis(9)))
                .withMessage("lease: PT0.009S (expected: at least PT0.01S)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxHold(Duration.ofSeconds(-1)))
                .withMessageStartingWith("maxHold: PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.lease(Duration.ofDays(3651)))
                .withMessageStartingWith("lease: PT87624H (expected: at most");
    }

    @Test
    void aLeaseLongerThanTheLongestHoldIsAContradiction() {
        LockOptions.Builder builder =
                LockOptions.builder().lease(Duration.ofSeconds(11)).maxHold(Duration.ofSeconds(10));

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("lease: PT11S contradicts maxHold: PT10S (expected: not longer)");
        assertThat(builder.lease(Duration.ofSeconds(10)).build().lease()).hasValue(Duration.ofSeconds(10));
    }

    @Test
    void aWatchdogLeaseLongerThanTheLongestHoldIsAContradiction() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LockOptions.builder().maxHold(Duration.ofSeconds(10)).build())
                .withMessage("watchdogLease: PT30S contradicts maxHold: PT10S (expected: not longer)");
    }

    /** The fixed lease is for calls that name none; those that ask for the watchdog still get it. */
    @Test
    void aFixedLeaseAndAWatchdogLeaseDoNotContradictEachOther() {
        LockOptions options = LockOptions.builder()
                .lease(Duration.ofSeconds(5))
                .watchdogLease(Duration.ofSeconds(20))
                .maxHold(Duration.ofSeconds(10))
                .build();

        assertThat(options.lease()).hasValue(Duration.ofSeconds(5));
        assertThat(options.watchdogLease()).isEqualTo(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a{b", "a}", "a*", "ä", "shop:token", "shop:fenced"})
    void aPrefixThatWouldMixKeysUpIsRefused(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().prefix(prefix))
                .withMessageStartingWith("prefix: '" + prefix + "' (expected: ");
    }

    @Test
    void nullIsRefusedByTheOptionsName() {
        LockOptions.Builder builder = LockOptions.builder();

        assertThatNullPointerException().isThrownBy(() -> builder.lease(null)).withMessage("lease");
        assertThatNullPointerException().isThrownBy(() -> builder.maxHold(null)).withMessage("maxHold");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.watchdogLease(null))
                .withMessage("watchdogLease");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.keyScheme(null))
                .withMessage("keyScheme");
        assertThatNullPointerException().isThrownBy(() -> builder.prefix(null)).withMessage("prefix");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.listener(null))
                .withMessage("listener");
    }
}
