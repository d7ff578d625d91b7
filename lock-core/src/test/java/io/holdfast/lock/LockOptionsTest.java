package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Options of locks: how they are copied and compared. */
class LockOptionsTest {

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
