package io.holdfast.lock.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.TlsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of Sentinels, and announced addresses, as texts. */
class SentinelTextsTest {

    @TempDir
    Path folder;

    @Test
    void aFileSaysWhatABuilderSays() throws IOException {
        Path file = file(
                """
                addressMapper = 10.0.0.5:6379=localhost:16379, [::1]:6379 = h:1
                sentinel.user = app
                sentinel.password = canary
                sentinel.silence = 7 s
                sentinel.tls.trustStore = a.p12
                sentinel.tls.trustStorePassword = canary
                sentinel.tls.serverName = sentinels
                """);

        assertThat(ClientOptions.fromFile(file))
                .isEqualTo(ClientOptions.builder()
                        .addressMapper(AddressMapper.of(Map.of(
                                NodeAddress.parse("10.0.0.5:6379"), NodeAddress.parse("localhost:16379"),
                                NodeAddress.parse("[::1]:6379"), NodeAddress.parse("h:1"))))
                        .sentinel(SentinelOptions.builder()
                                .credentials(CredentialsProvider.of("app", "canary"))
                                .silence(Duration.ofSeconds(7))
                                .tls(TlsOptions.builder()
                                        .trustStore(Path.of("a.p12"), "canary")
                                        .serverName("sentinels")
                                        .build())
                                .build())
                        .build());
    }

    @Test
    void thePasswordOfTheServersIsNotThatOfTheSentinels() {
        ClientOptions options = read("PASSWORD", "canary");

        assertThat(options.credentials()).isPresent();
        assertThat(options.sentinel()).isEqualTo(SentinelOptions.defaults());
        assertThat(read("SENTINEL_PASSWORD_FILE", "secret").sentinel().credentials())
                .contains(CredentialsProvider.file(Path.of("secret")));
        assertThat(read("SENTINEL_PASSWORD", "canary").credentials()).isEmpty();
    }

    /** Said at all, TLS is meant, whatever the address says. */
    @Test
    void anyOptionOfTlsMeansTls() {
        assertThat(read("SENTINEL_TLS_PROTOCOLS", "TLSv1.3, TLSv1.2").sentinel().tls())
                .contains(TlsOptions.defaults());
        assertThat(read("TLS_PROTOCOLS", "TLSv1.2").sentinel().tls()).isEmpty();
        assertThat(read("SENTINEL_PLAIN", "true").sentinel())
                .isEqualTo(SentinelOptions.builder().plain().build());
        assertThat(read("SENTINEL_PLAIN", "false").sentinel()).isEqualTo(SentinelOptions.defaults());
    }

    @Test
    void aVariableReplacesWhatTheFileSaysInAnotherWay() throws IOException {
        String file = file("sentinel.user = app\nsentinel.passwordFile = a\nsentinel.tls.trustCertificates = a.pem\n")
                .toString();

        assertThat(read("FILE", file, "SENTINEL_PLAIN", "true").sentinel().plain())
                .isTrue();
        assertThat(read("FILE", file, "SENTINEL_PLAIN", "False").sentinel().tls())
                .isPresent();
        assertThat(read("FILE", file, "SENTINEL_TLS_TRUST_STORE", "b", "SENTINEL_TLS_TRUST_STORE_PASSWORD", "canary")
                        .sentinel()
                        .tls())
                .contains(
                        TlsOptions.builder().trustStore(Path.of("b"), "canary").build());
        assertThat(read("FILE", file, "SENTINEL_PASSWORD", "canary").sentinel().credentials())
                .contains(CredentialsProvider.of("app", "canary"));
        assertThat(read("FILE", file, "PASSWORD", "canary").sentinel().credentials())
                .contains(CredentialsProvider.file("app", Path.of("a")));

        String plain = file("sentinel.plain = true\n").toString();
        assertThat(read("FILE", plain, "SENTINEL_TLS_SERVER_NAME", "h")
                        .sentinel()
                        .tls())
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sentinel.silence = 0.5 s        | sentinel.silence: 500 ms (expected: 1 s to 1 h)",
                "sentinel.plain = no             | sentinel.plain: 'no' (expected: true or false)",
                "sentinel.tls.protocols = SSLv3  | sentinel.tls.protocols: 'SSLv3' (expected: TLSv1.3 or TLSv1.2)",
                "sentinel.password =             | sentinel.password: not usable, and not shown (expected: a text that is not empty)",
                "sentinel.user = canary          | sentinel.user without a sentinel.password (expected: sentinel.password or sentinel.passwordFile, too)",
                "sentinel.tls.key = canary       | sentinel.tls.key without sentinel.tls.certificate (expected: both)",
                "sentinel.master = canary        | unknown option, and not shown (the nearest is sentinel.user)",
            })
    void aComplaintNamesTheLineAndTheOption(String line, String complaint) throws IOException {
        Path file = file("tls.certificate = a\ntls.key = b\npassword = canary\n" + line);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.fromFile(file))
                .withMessage("file '" + file + "', line 4: " + complaint);
    }

    @Test
    void plainAndOptionsOfTlsContradictEachOther() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("SENTINEL_PLAIN", "true", "SENTINEL_TLS_SERVER_NAME", "h"))
                .withMessage("variable HOLDFAST_SENTINEL_PLAIN: sentinel.plain: true contradicts options of"
                        + " sentinel.tls (expected: one of them)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "canary",
                "canary:1",
                "canary:1=",
                "canary:1=h:2=h:3",
                "canary:1=h:2,",
                "canary:1=h:2 h:3=h:4",
                "canary:1=h:2,CANARY:1=h:3",
                "redis://app:canary@h:1=h:2",
            })
    void whatMapsNoAddressesIsRefusedAndNotQuoted(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("ADDRESS_MAPPER", text))
                .withMessage("variable HOLDFAST_ADDRESS_MAPPER: addressMapper: not usable, and not shown (expected:"
                        + " announced=reachable, as in 10.0.0.5:6379=localhost:16379, with commas between several)");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("holdfast.properties"), text);
    }

    /** Pairs of a variable, without its beginning, and its text. */
    private static ClientOptions read(String... variables) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < variables.length; i += 2) {
            given.put("HOLDFAST_" + variables[i], variables[i + 1]);
        }
        return OptionTexts.fromEnvironment(given);
    }
}
