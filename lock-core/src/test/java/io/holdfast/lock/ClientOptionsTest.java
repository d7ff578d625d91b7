package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options of clients: how they are copied, and which address counts. */
class ClientOptionsTest {

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
