package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of clients: their defaults, their limits, and which of them contradict each other. */
class ClientOptionsTest {

    @Test
    void theDefaultsAreThoseOfTheTable() {
        ClientOptions options = ClientOptions.defaults();

        assertThat(options.connectTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.commandTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.heartbeat()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.backoffMin()).isEqualTo(Duration.ofMillis(50));
        assertThat(options.backoffMax()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.maxOutage()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.queueLimit()).isEqualTo(65_536);
        assertThat(options.ioThreads()).isEqualTo(1);
        assertThat(options.transport()).isEqualTo(IoTransport.AUTO);
        assertThat(options.callbackExecutor()).isEmpty();
        assertThat(options.clientName()).isEqualTo("holdfast");
        assertThat(options.lazy()).isFalse();
        assertThat(options.tls()).isSameAs(TlsOptions.defaults());
        assertThat(options.lockOptions()).isSameAs(LockOptions.defaults());
    }

    @Test
    void aBuilderMadeFromOptionsBuildsThemAgain() {
        ClientOptions options = ClientOptions.builder()
                .connectTimeout(Duration.ofSeconds(11))
                .commandTimeout(Duration.ofSeconds(12))
                .heartbeat(Duration.ofSeconds(13))
                .backoffMin(Duration.ofSeconds(14))
                .backoffMax(Duration.ofSeconds(15))
                .maxOutage(Duration.ofSeconds(16))
                .queueLimit(17)
                .ioThreads(18)
                .transport(IoTransport.NIO)
                .callbackExecutor(Runnable::run)
                .clientName("shop")
                .lazy(true)
                .tls(TlsOptions.builder().serverName("locks").build())
                .lockOptions(LockOptions.builder().prefix("shop").build())
                .build();

        ClientOptions again = options.toBuilder().build();

        assertThat(again).usingRecursiveComparison().isEqualTo(options).isNotEqualTo(ClientOptions.defaults());
        assertThat(again.callbackExecutor()).isEqualTo(options.callbackExecutor());
        assertThat(again).isEqualTo(options).hasSameHashCodeAs(options).isNotEqualTo(ClientOptions.defaults());
        assertThat(again.toBuilder().noCallbackExecutor().build()).isNotEqualTo(options);
        assertThat(again).hasToString(options.toString());
    }

    @Test
    void aTimeOfNothingIsRefusedByItsName() {
        Map<String, BiFunction<ClientOptions.Builder, Duration, ?>> times = Map.of(
                "connectTimeout", ClientOptions.Builder::connectTimeout,
                "commandTimeout", ClientOptions.Builder::commandTimeout,
                "heartbeat", ClientOptions.Builder::heartbeat,
                "backoffMin", ClientOptions.Builder::backoffMin,
                "backoffMax", ClientOptions.Builder::backoffMax,
                "maxOutage", ClientOptions.Builder::maxOutage);

        times.forEach((name, set) -> assertThatIllegalArgumentException()
                .as(name)
                .isThrownBy(() -> set.apply(ClientOptions.builder(), Duration.ZERO))
                .withMessage(name + ": 0 s (expected: at least 1 ms)"));
    }

    @Test
    void aNumberOutOfRangeIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.builder().queueLimit(0))
                .withMessage("queueLimit: 0 (expected: 1 to 16777216)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.builder().ioThreads(257))
                .withMessage("ioThreads: 257 (expected: 1 to 256)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my shop", "línea", "tab\t"})
    void aClientNameThatNoServerTakesIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.builder().clientName(name))
                .withMessageStartingWith("clientName: '" + name.replace("\t", "\\u0009") + "' (expected: ");
    }

    @Test
    void aFirstPauseLongerThanTheLongestIsAContradiction() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.builder()
                        .backoffMin(Duration.ofSeconds(6))
                        .build())
                .withMessage("backoffMin: 6 s contradicts backoffMax: 5 s (expected: not longer)");
    }

    @Test
    void aCommandLongerThanTheLongestOutageIsAContradiction() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.builder()
                        .commandTimeout(Duration.ofSeconds(31))
                        .build())
                .withMessage("commandTimeout: 31 s contradicts maxOutage: 30 s (expected: not longer)");
    }
}
