package io.holdfast.lock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.TlsOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of TLS as texts: a file and its password come apart, and in any order. */
class TlsTextsTest {

    @Test
    void eachWayToSayWhatIsTrustedAndShownHasATextForm() {
        TlsOptions.Builder all = TlsOptions.builder()
                .protocols("TLSv1.2")
                .serverName("locks.internal")
                .verifySeedName(true);
        assertThat(read(
                        "PROTOCOLS", "TLSv1.2",
                        "SERVER_NAME", "locks.internal",
                        "VERIFY_SEED_NAME", "true",
                        "KEY_STORE_PASSWORD", " secret ",
                        "KEY_STORE", "a.p12",
                        "TRUST_STORE", "b.p12",
                        "TRUST_STORE_PASSWORD", "open"))
                .isEqualTo(all.keyStore(Path.of("a.p12"), " secret ")
                        .trustStore(Path.of("b.p12"), "open")
                        .build());
        assertThat(read("TRUST_CERTIFICATES", "ca.pem", "KEY", "a.key", "CERTIFICATE", "a.pem"))
                .isEqualTo(TlsOptions.builder()
                        .trustCertificates(Path.of("ca.pem"))
                        .certificate(Path.of("a.pem"), Path.of("a.key"))
                        .build());
        assertThat(read("KEY_PASSWORD", "secret", "KEY", "a.key", "CERTIFICATE", "a.pem"))
                .isEqualTo(TlsOptions.builder()
                        .certificate(Path.of("a.pem"), Path.of("a.key"), "secret")
                        .build());
        assertThat(read("PROTOCOLS", "TLSv1.3, TLSv1.2").protocols()).isEqualTo(List.of("TLSv1.3", "TLSv1.2"));
    }

    @ParameterizedTest
    @CsvSource({
        "TRUST_STORE, tls.trustStore, tls.trustStorePassword",
        "TRUST_STORE_PASSWORD, tls.trustStorePassword, tls.trustStore",
        "CERTIFICATE, tls.certificate, tls.key",
        "KEY, tls.key, tls.certificate",
        "KEY_PASSWORD, tls.keyPassword, tls.key",
        "KEY_STORE, tls.keyStore, tls.keyStorePassword",
        "KEY_STORE_PASSWORD, tls.keyStorePassword, tls.keyStore",
    })
    void oneOfTwoThatBelongTogetherIsRefused(String variable, String given, String missing) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(variable, "canary"))
                .withMessageEndingWith(given + " without " + missing + " (expected: both)")
                .withMessageContaining("HOLDFAST_TLS_" + variable)
                .withMessageNotContaining("canary");
    }

    @Test
    void twoSourcesOfOneThingAreToldByTheirNamesAndVariables() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("TRUST_CERTIFICATES", "a", "TRUST_STORE", "b", "TRUST_STORE_PASSWORD", "canary"))
                .withMessageContaining("variable HOLDFAST_TLS_TRUST_CERTIFICATES")
                .withMessageContaining("variable HOLDFAST_TLS_TRUST_STORE")
                .withMessageEndingWith(": tls.trustCertificates contradicts tls.trustStore (expected: one of them)");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> read("CERTIFICATE", "a", "KEY", "b", "KEY_STORE", "c", "KEY_STORE_PASSWORD", "canary"))
                .withMessageEndingWith(": tls.certificate contradicts tls.keyStore (expected: one of them)")
                .withMessageNotContaining("canary");
    }

    @Test
    void whatIsNoProtocolIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("PROTOCOLS", "SSLv3"))
                .withMessageContaining("tls.protocols: 'SSLv3' (expected: TLSv1.3 or TLSv1.2)");
    }

    /** Pairs of a variable, without its beginning, and its text. */
    private static TlsOptions read(String... variables) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < variables.length; i += 2) {
            given.put("HOLDFAST_TLS_" + variables[i], variables[i + 1]);
        }
        ClientOptions options = OptionTexts.fromEnvironment(given);
        return options.tls();
    }
}
