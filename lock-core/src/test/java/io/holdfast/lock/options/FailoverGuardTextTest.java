package io.holdfast.lock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The longest lease that the failover guard protects, as text and in code. */
class FailoverGuardTextTest {

    @Test
    void aTextSaysWhatTheBuilderSays() {
        ClientOptions built =
                ClientOptions.builder().failoverGuard(Duration.ofSeconds(45)).build();
        assertThat(read("45 s")).isEqualTo(built).hasSameHashCodeAs(built);
        assertThat(built.failoverGuard()).contains(Duration.ofSeconds(45));
        assertThat(built.toBuilder().build()).isEqualTo(built);
        assertThat(built.toString()).contains("failoverGuard=45 s");
    }

    @Test
    void noneIsTheDefault() {
        assertThat(read("none")).isEqualTo(ClientOptions.defaults());
        assertThat(ClientOptions.defaults().failoverGuard()).isEmpty();
        assertThat(ClientOptions.defaults().toString()).contains("failoverGuard=none");
        assertThat(read("45 s").toBuilder().noFailoverGuard().build()).isEqualTo(ClientOptions.defaults());
    }

    @ParameterizedTest
    @ValueSource(strings = {"45", "yes", "99 ms", "0 s", "-1 s", "4000 d"})
    void whatIsNoLeaseIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text)).withMessageContaining("failoverGuard: ");
    }

    /** No lock is granted for so long after each failover: more was meant to be another unit. */
    @Test
    void aDayIsTheLongest() {
        assertThat(read("1 d").failoverGuard()).contains(Duration.ofDays(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("25 h"))
                .withMessageContaining("failoverGuard: 25 h (expected: 100 ms to 1 d)");
    }

    @Test
    void aLongerLeaseOfAllLocksIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("20 s"))
                .withMessageContaining("watchdogLease: 30 s contradicts failoverGuard: 20 s (expected: not longer)");
        assertThat(OptionTexts.fromEnvironment(
                                Map.of("HOLDFAST_FAILOVER_GUARD", "20 s", "HOLDFAST_LOCK_WATCHDOG_LEASE", "20 s"))
                        .failoverGuard())
                .contains(Duration.ofSeconds(20));
        LockOptions fixed = LockOptions.builder().lease(Duration.ofMinutes(1)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.builder()
                        .lockOptions(fixed)
                        .failoverGuard(Duration.ofSeconds(45))
                        .build())
                .withMessage("lease: 1 min contradicts failoverGuard: 45 s (expected: not longer)");
    }

    @Test
    void aQuorumRefusesIt() {
        ClientOptions options =
                ClientOptions.builder().failoverGuard(Duration.ofSeconds(45)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connectQuorum(
                        List.of("redis://a", "redis://b", "redis://c"), options, QuorumOptions.defaults()))
                .withMessage("failoverGuard: 45 s, in the options of a quorum (expected: none; no node of a quorum"
                        + " fails over)");
    }

    private static ClientOptions read(String text) {
        return OptionTexts.fromEnvironment(Map.of("HOLDFAST_FAILOVER_GUARD", text));
    }
}
