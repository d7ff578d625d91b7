package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.QuorumOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuorumOptionsTest {

    @Test
    void aNodeMayNotTakeLongerThanACommand() {
        QuorumOptions options =
                QuorumOptions.builder().nodeTimeout(Duration.ofSeconds(1)).build();
        List<ScriptedBackend> nodes = new ScriptedQuorum(3).nodes;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineClient.overQuorum(nodes, ClientOptions.defaults(), options, "c"))
                .withMessage("nodeTimeout: 1 s (expected: shorter than commandTimeout, 1 s)");
    }

    @Test
    void theNodeTimeoutFollowsTheLeaseWithinBounds() {
        QuorumOptions derived = QuorumOptions.defaults();
        assertThat(derived.nodeTimeoutFor(Duration.ofMillis(20))).isEqualTo(Duration.ofMillis(5));
        assertThat(derived.nodeTimeoutFor(Duration.ofMillis(300))).isEqualTo(Duration.ofMillis(30));
        assertThat(derived.nodeTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(50));
        QuorumOptions fixed =
                QuorumOptions.builder().nodeTimeout(Duration.ofMillis(80)).build();
        assertThat(fixed.nodeTimeoutFor(Duration.ofMillis(20))).isEqualTo(Duration.ofMillis(80));
    }

    @Test
    void optionsAreEqualByValue() {
        QuorumOptions options = QuorumOptions.builder()
                .fencing(false)
                .restartGuard(false)
                .clockMargin(Duration.ofSeconds(5))
                .longestLease(Duration.ofSeconds(3))
                .build();
        assertThat(options.toBuilder().build()).isEqualTo(options).hasSameHashCodeAs(options);
        assertThat(options.toBuilder().fencing(true).build()).isNotEqualTo(options);
        assertThat(QuorumOptions.builder().build()).isEqualTo(QuorumOptions.defaults());
    }
}
