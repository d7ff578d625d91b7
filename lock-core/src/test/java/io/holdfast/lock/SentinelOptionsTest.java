package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of Sentinels: their defaults, their limits, what replaces what, and that none tells a password. */
class SentinelOptionsTest {

    private static final String CANARY = "canary-91c4";
    private static final TlsOptions TLS =
            TlsOptions.builder().trustStore(Path.of("a.p12"), CANARY).build();

    @Test
    void aBuilderMadeFromOptionsBuildsThemAgain() {
        SentinelOptions withTls = SentinelOptions.builder()
                .credentials(CredentialsProvider.of("app", CANARY))
                .tls(TLS)
                .silence(Duration.ofSeconds(7))
                .build();
        SentinelOptions plain = SentinelOptions.builder().plain().build();

        for (SentinelOptions options : List.of(withTls, plain)) {
            SentinelOptions again = options.toBuilder().build();
            assertThat(again).isEqualTo(options).hasSameHashCodeAs(options).isNotEqualTo(SentinelOptions.defaults());
            assertThat(again).hasToString(options.toString());
            assertThat(again.toBuilder()
                            .noCredentials()
                            .tlsOfTheAddress()
                            .silence(Duration.ofSeconds(5))
                            .build())
                    .isEqualTo(SentinelOptions.defaults());
        }
        assertThat(withTls).isNotEqualTo(plain);
    }

    @Test
    void theLastWordOnTlsCounts() {
        SentinelOptions plain = SentinelOptions.builder().tls(TLS).plain().build();
        SentinelOptions secured = SentinelOptions.builder().plain().tls(TLS).build();

        assertThat(plain.plain()).isTrue();
        assertThat(plain.tls()).isEmpty();
        assertThat(secured.plain()).isFalse();
        assertThat(secured.tls()).contains(TLS);
    }

    @Test
    void noSecretIsTold() {
        SentinelOptions options = SentinelOptions.builder()
                .credentials(CredentialsProvider.of(CANARY, CANARY))
                .tls(TLS)
                .build();

        assertThat(options.toString())
                .contains("credentials=given", "trustStore=a.p12", "silence=5 s")
                .doesNotContain(CANARY);
        assertThat(ClientOptions.builder()
                        .sentinel(options)
                        .addressMapper(new SecretMapper())
                        .build()
                        .toString())
                .contains("sentinel=SentinelOptions{", "addressMapper=given")
                .doesNotContain(CANARY);
        assertThat(SentinelOptions.defaults())
                .hasToString("SentinelOptions{credentials=none, tls=as the address says, silence=5 s}");
        assertThat(SentinelOptions.builder().plain().build())
                .hasToString("SentinelOptions{credentials=none, tls=plain, silence=5 s}");
    }

    @ParameterizedTest
    @CsvSource({"PT0.999S, 999 ms", "PT0S, 0 s", "PT-5S, -5 s", "PT1H0.001S, 3600.001 s"})
    void aSilenceOutOfItsRangeIsRefused(Duration silence, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SentinelOptions.builder().silence(silence))
                .withMessage("silence: " + shown + " (expected: 1 s to 1 h)");
    }

    @ParameterizedTest
    @CsvSource({"PT1S", "PT1H"})
    void theEndsOfItsRangeAreTaken(Duration silence) {
        assertThat(SentinelOptions.builder().silence(silence).build().silence()).isEqualTo(silence);
    }

    private static final class SecretMapper implements AddressMapper {

        @Override
        public NodeAddress map(NodeAddress announced) {
            return announced;
        }

        @Override
        public String toString() {
            return CANARY;
        }
    }
}
