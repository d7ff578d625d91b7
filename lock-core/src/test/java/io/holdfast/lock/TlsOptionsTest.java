package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of TLS: their defaults, their limits, which of them contradict each other, and that none tells a password. */
class TlsOptionsTest {

    private static final Path FILE = Path.of("a.pem");
    private static final Path STORE = Path.of("a.p12");
    private static final String CANARY = "canary-7f21";

    @Test
    void aBuilderMadeFromOptionsBuildsThemAgain() throws Exception {
        TlsOptions ofFiles = TlsOptions.builder()
                .trustStore(STORE, CANARY)
                .certificate(FILE, Path.of("a.key"), CANARY)
                .protocols("TLSv1.2")
                .serverName("locks.internal")
                .verifySeedName(true)
                .build();
        TlsOptions ofOtherFiles = TlsOptions.builder()
                .trustCertificates(FILE)
                .keyStore(STORE, CANARY)
                .build();
        TlsOptions ofAContext =
                TlsOptions.builder().sslContext(SSLContext.getDefault()).build();

        for (TlsOptions options : List.of(ofFiles, ofOtherFiles, ofAContext)) {
            TlsOptions again = options.toBuilder().build();
            assertThat(again).isEqualTo(options).hasSameHashCodeAs(options).isNotEqualTo(TlsOptions.defaults());
            assertThat(again).hasToString(options.toString());
            assertThat(again.toBuilder()
                            .trustOfTheJvm()
                            .noCertificate()
                            .noSslContext()
                            .noServerName()
                            .verifySeedName(false)
                            .protocols("TLSv1.3", "TLSv1.2")
                            .build())
                    .isEqualTo(TlsOptions.defaults());
        }
        assertThat(ofFiles.keyPassword()).contains(CANARY);
        assertThat(ofFiles.trustStorePassword()).contains(CANARY);
        assertThat(ofOtherFiles.keyStorePassword()).contains(CANARY);
    }

    @Test
    void noPasswordIsTold() {
        TlsOptions options = TlsOptions.builder()
                .trustStore(STORE, CANARY)
                .certificate(FILE, FILE, CANARY)
                .build();
        TlsOptions others = TlsOptions.builder().keyStore(STORE, CANARY).build();

        assertThat(options + " " + others)
                .contains("trustStore=a.p12", "certificate=a.pem", "key=a.pem", "keyStore=a.p12")
                .doesNotContain(CANARY);
        assertThat(ClientOptions.builder().tls(options).build().toString())
                .contains("tls=TlsOptions{")
                .doesNotContain(CANARY);
    }

    @Test
    void twoSourcesOfOneThingAreAContradiction() throws Exception {
        SSLContext context = SSLContext.getDefault();
        Map<String, UnaryOperator<TlsOptions.Builder>> contradictions = Map.of(
                "trustCertificates contradicts trustStore",
                        builder -> builder.trustCertificates(FILE).trustStore(STORE, ""),
                "certificate contradicts keyStore",
                        builder -> builder.certificate(FILE, FILE).keyStore(STORE, ""),
                "sslContext contradicts trustCertificates",
                        builder -> builder.sslContext(context).trustCertificates(FILE),
                "sslContext contradicts trustStore",
                        builder -> builder.sslContext(context).trustStore(STORE, ""),
                "sslContext contradicts certificate",
                        builder -> builder.sslContext(context).certificate(FILE, FILE),
                "sslContext contradicts keyStore",
                        builder -> builder.sslContext(context).keyStore(STORE, ""));

        contradictions.forEach((sentence, set) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> set.apply(TlsOptions.builder()).build())
                .withMessage(sentence + " (expected: one of them)"));
    }

    @Test
    void aKeyWithoutAPasswordForgetsTheOneBefore() {
        TlsOptions options = TlsOptions.builder()
                .certificate(FILE, FILE, CANARY)
                .certificate(FILE, FILE)
                .build();
        assertThat(options.keyPassword()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.1", "SSLv3", "tlsv1.3", ""})
    void aProtocolThatIsNotOfferedIsRefused(String protocol) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TlsOptions.builder().protocols("TLSv1.3", protocol))
                .withMessage("protocols: '" + protocol + "' (expected: TLSv1.3 or TLSv1.2)");
    }

    @Test
    void noProtocolAtAllIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TlsOptions.builder().protocols())
                .withMessage("protocols: none (expected: TLSv1.3, TLSv1.2 or both)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my host", "línea", "a\n", "*.example.org"})
    void aServerNameThatNoCertificateHasIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TlsOptions.builder().serverName(name))
                .withMessage(
                        "serverName: '" + name.replace("\n", "\\u000a") + "' (expected: a host name or an IP address)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "my_redis.internal", "10.0.0.7", "fe80::1"})
    void namesAndAddressesAreServerNames(String name) {
        assertThat(TlsOptions.builder().serverName(name).build().serverName()).contains(name);
    }
}
