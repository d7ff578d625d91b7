package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
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

        assertThat(options.address()).isEmpty();
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
        assertThat(options.sentinel()).isSameAs(SentinelOptions.defaults());
        assertThat(options.addressMapper()).isEmpty();
        assertThat(options.lockOptions()).isSameAs(LockOptions.defaults());
    }

    @Test
    void aBuilderMadeFromOptionsBuildsThemAgain() {
        ClientOptions options = ClientOptions.builder()
                .address("redis://h")
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
                .sentinel(SentinelOptions.builder().plain().build())
                .addressMapper(announced -> announced)
                .lockOptions(LockOptions.builder().prefix("shop").build())
                .build();

        ClientOptions again = options.toBuilder().build();

        assertThat(again).usingRecursiveComparison().isEqualTo(options).isNotEqualTo(ClientOptions.defaults());
        assertThat(again.callbackExecutor()).isEqualTo(options.callbackExecutor());
        assertThat(again).isEqualTo(options).hasSameHashCodeAs(options).isNotEqualTo(ClientOptions.defaults());
        assertThat(again.toBuilder().noCallbackExecutor().build()).isNotEqualTo(options);
        assertThat(again.toBuilder().noAddress().build()).isNotEqualTo(options);
        assertThat(again.toBuilder().noAddressMapper().build()).isNotEqualTo(options);
        assertThat(again.toBuilder().sentinel(SentinelOptions.defaults()).build())
                .isNotEqualTo(options);
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

    @Test
    void anAddressIsWantedOnceAndNotGuessed() {
        ClientOptions without = ClientOptions.defaults();
        ClientOptions with =
                ClientOptions.builder().address("redis://:canary@h").build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connect(without))
                .withMessage(
                        "address: none (expected: one, by ClientOptions.Builder.address, as 'address' in the file, or"
                                + " in HOLDFAST_ADDRESS)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connectAsync("redis://g", with))
                .withMessage("address: the one of the call contradicts the one of the options (expected: one of them;"
                        + " ClientOptions.Builder.noAddress takes the latter back)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connectQuorum(List.of("redis://g"), with, QuorumOptions.defaults()))
                .withMessage(
                        "address: one, in the options of a quorum (expected: none; the call has the addresses of all"
                                + " nodes)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.builder().address(""))
                .withMessageStartingWith("address: '' (expected: ");
    }

    /** There is no transport in this module's tests: to be told so is to have come past the checks. */
    @Test
    void theAddressOfTheOptionsMayBeThatOfTheCall() {
        ClientOptions with = ClientOptions.builder().address("redis://h").build();

        assertThatIllegalStateException()
                .isThrownBy(() -> LockClient.connect("redis://h", with))
                .withMessageStartingWith("no lock provider");
        assertThatIllegalStateException()
                .isThrownBy(() -> LockClient.connect(with))
                .withMessageStartingWith("no lock provider");
    }
}
