package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.TlsOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as the options and the versions that are served allow them. */
class ServerAddressesTest {

    private static final ClientOptions DEFAULTS = ClientOptions.defaults();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://canary:canary@canary:6379/2",
                "unix://:canary@/run/canary",
                "redis-replicas://canary:canary@canary,b",
                "rediss://:canary@canary"
            })
    void aPasswordBesideCredentialsIsRefusedWithoutTheAddress(String url) {
        ClientOptions options = ClientOptions.builder()
                .credentials(CredentialsProvider.of("app", "canary"))
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddresses.of(url, options))
                .withMessage("address: has a password, and is not shown (expected: no password, since"
                        + " ClientOptions.credentials says who the client is)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://canary", "rediss://canary", "unix:///run/canary", "redis-replicas://canary,b"})
    void whatIsForSentinelsIsRefusedElsewhere(String url) {
        String expected = " (expected: an address that begins with redis-sentinel:// or rediss-sentinel://, or ";
        String announcing =
                " (expected: an address that begins with redis-sentinel:// or redis-cluster://, or the same with"
                        + " rediss, or ";
        Map<String, ClientOptions.Builder> refused = Map.of(
                "sentinel: options for an address without Sentinels" + expected + "no options of Sentinel)",
                ClientOptions.builder()
                        .sentinel(SentinelOptions.builder().plain().build()),
                "addressMapper: given for an address where no other is announced" + announcing + "no mapper)",
                ClientOptions.builder().addressMapper(announced -> announced),
                "tls.verifySeedName: true for an address where no other is announced" + announcing + "false)",
                ClientOptions.builder()
                        .tls(TlsOptions.builder().verifySeedName(true).build()));

        refused.forEach((sentence, options) -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServerAddresses.of(url, options.build()))
                    .withMessage(sentence);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServerAddresses.ofQuorum(List.of("redis://a"), options.build()))
                    .withMessage("url number 1: " + sentence);
        });
    }

    @Test
    void aPasswordLongerThanServersTakeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddresses.of(url("x".repeat(16_385)), DEFAULTS))
                .withMessage("address: password: 16385 characters (expected: 1 to 16384 bytes of UTF-8)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerAddresses.of("redis://" + "u".repeat(16_385) + ":x@h", DEFAULTS))
                .withMessageStartingWith(
                        "address: user: 16385 characters (expected: 1 to 16384 bytes of UTF-8 without ");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ServerAddresses.ofQuorum(List.of("redis://a", url("x".repeat(20_000)), "redis://c"), DEFAULTS))
                .withMessage("url number 2: address: password: 20000 characters (expected: 1 to 16384 bytes of UTF-8)");
        assertThat(ServerAddresses.of(url("x".repeat(16_384)), DEFAULTS).password())
                .hasSize(16_384);
        assertThat(ServerAddresses.of("redis://h", DEFAULTS).password()).isNull();
    }

    private static String url(String password) {
        return "redis://:" + password + "@h";
    }

    /** Without the module that serves it, the address is not malformed. */
    @Test
    void anAddressInMemoryIsNoneOfAServer() {
        assertThatIllegalStateException()
                .isThrownBy(() -> LockClient.connect("memory:orders"))
                .withMessage("no lock provider: add lock-memory to the class path or the module path");
    }
}
