package io.holdfast.lock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.ReplicaWait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many replicas have to confirm, as text and in code. */
class ReplicaWaitTextTest {

    @Test
    void aTextSaysWhatTheBuilderSays() {
        ClientOptions built = ClientOptions.builder()
                .waitForReplicas(2, Duration.ofMillis(100))
                .build();
        assertThat(read("2 within 100 ms")).isEqualTo(built).hasSameHashCodeAs(built);
        assertThat(built.waitForReplicas()).contains(new ReplicaWait(2, Duration.ofMillis(100)));
        assertThat(built.toBuilder().build()).isEqualTo(built);
        assertThat(built.toString()).contains("waitForReplicas=2 within 100 ms");
        assertThat(read(built.waitForReplicas().orElseThrow().toString())).isEqualTo(built);
    }

    @Test
    void noneIsTheDefault() {
        assertThat(read("none")).isEqualTo(ClientOptions.defaults());
        assertThat(ClientOptions.defaults().waitForReplicas()).isEmpty();
        assertThat(ClientOptions.defaults().toString()).contains("waitForReplicas=none");
        assertThat(read("1 within 1 s").toBuilder().noWaitForReplicas().build()).isEqualTo(ClientOptions.defaults());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "100 ms", "1 100 ms", "one within 1 s", "1 within 100", "within 1 s", "1 within none"})
    void whatIsNoNumberWithinATimeIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(text))
                .withMessageContaining(
                        "waitForReplicas: '" + text + "' (expected: a number of replicas and how long they"
                                + " have, as in 1 within 100 ms; or none)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 within 1 s", "101 within 1 s", "1 within 0 s", "1 within 2 min", "-1 within 1 s"})
    void whatIsOutOfItsBoundsIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text)).withMessageContaining("waitForReplicas: ");
    }

    @Test
    void aQuorumRefusesIt() {
        ClientOptions options = ClientOptions.builder()
                .waitForReplicas(1, Duration.ofSeconds(1))
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connectQuorum(
                        List.of("redis://a", "redis://b", "redis://c"), options, QuorumOptions.defaults()))
                .withMessage(
                        "waitForReplicas: 1 within 1 s, in the options of a quorum (expected: none; each node decides"
                                + " for itself, and a majority of them for the lock)");
    }

    private static ClientOptions read(String text) {
        return OptionTexts.fromEnvironment(Map.of("HOLDFAST_WAIT_FOR_REPLICAS", text));
    }
}
