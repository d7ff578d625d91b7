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
    void optionsAreEqualByWhatTheySay() {
        LockListener listener = new LockListener() {};
        LockOptions.Builder builder = LockOptions.builder()
                .lease(Duration.ofSeconds(5))
                .prefix("shop")
                .listener(listener);
        assertThat(builder.build()).isEqualTo(builder.build()).hasSameHashCodeAs(builder.build());
        assertThat(builder.build())
                .isNotEqualTo(LockOptions.defaults())
                .isNotEqualTo(builder.build().toBuilder().prefix("stock").build())
                .isNotEqualTo(builder.build().toBuilder()
                        .listener(new LockListener() {})
                        .build())
                .isNotEqualTo(builder.build().toBuilder().noLease().build());
    }

    @Test
    void whatWasSetCanBeTakenBack() {
        LockOptions options = LockOptions.builder()
                .lease(Duration.ofSeconds(5))
                .maxHold(Duration.ofSeconds(60))
                .listener(new LockListener() {})
                .build();
        assertThat(options.toBuilder()
                        .noLease()
                        .noMaxHold()
                        .listener(LockListener.NONE)
                        .build())
                .isEqualTo(LockOptions.defaults());
    }

    @Test
    void severalListenersAreOne() {
        LockListener a = new LockListener() {};
        LockListener b = new LockListener() {};
        LockListener c = new LockListener() {};
        assertThat(LockListener.of()).isSameAs(LockListener.NONE);
        assertThat(LockListener.of(a, LockListener.NONE)).isSameAs(a);
        LockListener all = LockListener.of(LockListener.of(a, b), c);
        assertThat(LockOptions.builder().listener(all).build().listeners()).containsExactly(a, b, c);
        assertThat(LockOptions.defaults().listeners()).isEmpty();
        assertThat(all).isEqualTo(LockListener.of(a, b, c)).hasSameHashCodeAs(LockListener.of(a, b, c));
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
        assertThat(options.toString()).contains("watchdogLease=12 s", "lease=5 s", "maxHold=1 min", "REDISSON", "shop");
    }

    @Test
    void aTimeOutOfRangeIsRefusedByItsName() {
        LockOptions.Builder builder = LockOptions.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.watchdogLease(Duration.ofMillis(99)))
                .withMessage("watchdogLease: 99 ms (expected: at least 100 ms)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.lease(Duration.ofMillis(9)))
                .withMessage("lease: 9 ms (expected: at least 10 ms)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxHold(Duration.ofSeconds(-1)))
                .withMessageStartingWith("maxHold: -1 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.lease(Duration.ofDays(3651)))
                .withMessageStartingWith("lease: 3651 d (expected: at most");
    }

    @Test
    void aLeaseLongerThanTheLongestHoldIsAContradiction() {
        LockOptions.Builder builder =
                LockOptions.builder().lease(Duration.ofSeconds(11)).maxHold(Duration.ofSeconds(10));

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("lease: 11 s contradicts maxHold: 10 s (expected: not longer)");
        assertThat(builder.lease(Duration.ofSeconds(10)).build().lease()).hasValue(Duration.ofSeconds(10));
    }

    @Test
    void aWatchdogLeaseLongerThanTheLongestHoldIsAContradiction() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LockOptions.builder().maxHold(Duration.ofSeconds(10)).build())
                .withMessage("watchdogLease: 30 s contradicts maxHold: 10 s (expected: not longer)");
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
