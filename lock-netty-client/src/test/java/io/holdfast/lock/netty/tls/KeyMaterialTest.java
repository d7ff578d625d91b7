package io.holdfast.lock.netty.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.CertifiedKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and certificates in all forms that OpenSSL and the JDK write, and a sentence for each that can't be used. */
class KeyMaterialTest {

    private static final String PASSWORD = "open-sesame";
    private static final Certificates AUTHORITY = Certificates.newAuthority();

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "rsa-certificate.pem,     rsa-pkcs1.pem",
        "rsa-certificate.pem,     rsa-pkcs8.pem",
        "ec-certificate.pem,      ec-sec1.pem",
        "ed25519-certificate.pem, ed25519-pkcs8.pem",
    })
    void plainKeysAreRead(String certificate, String key) throws IOException {
        assertHasKey(TlsOptions.builder().certificate(fixture(certificate), fixture(key)));
    }

    @ParameterizedTest
    @CsvSource({
        "rsa-certificate.pem, rsa-pkcs1-aes.pem",
        "rsa-certificate.pem, rsa-pkcs1-des.pem",
        "rsa-certificate.pem, rsa-pkcs8-encrypted.pem",
        "ec-certificate.pem,  ec-sec1-aes.pem",
        "ec-certificate.pem,  ec-pkcs8-encrypted.pem",
    })
    void encryptedKeysAreReadWithTheirPasswordAndNoOther(String certificate, String key) throws IOException {
        Path chain = fixture(certificate);
        Path file = fixture(key);
        assertHasKey(TlsOptions.builder().certificate(chain, file, PASSWORD));

        for (String wrong : new String[] {"open-canary", "", "canary-" + "x".repeat(100)}) {
            assertRefused(
                    TlsOptions.builder().certificate(chain, file, wrong),
                    "key: " + file + " is encrypted with another password (expected: the password of this key)");
        }
        assertRefused(
                TlsOptions.builder().certificate(chain, file),
                "key: " + file
                        + " is encrypted, and there is no password for it (expected: the key's password as well)");
    }

    @Test
    void oneFileMayHoldTheKeyAndTheWholeChain() throws IOException {
        CertifiedKey client = AUTHORITY.client("orders");
        Path file = write(
                "all.pem",
                "subject=CN: orders\n" + client.keyPem() + "\r\n" + client.certificatePem() + "between\n"
                        + AUTHORITY.pem());
        KeyMaterial material = assertHasKey(TlsOptions.builder().certificate(file, file));
        assertThat(keyManager(material).getCertificateChain("client"))
                .containsExactly(client.certificate(), AUTHORITY.certificate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS"})
    void storesAreToldByTheirContent(String type) throws IOException {
        Path file = AUTHORITY.client("orders").writeStore(directory.resolve("a.store"), type, PASSWORD);
        assertHasKey(TlsOptions.builder().keyStore(file, PASSWORD));
        assertRefused(
                TlsOptions.builder().keyStore(file, "canary"),
                "keyStore: " + file + " has another password (expected: the password of this file)");
        assertRefused(
                TlsOptions.builder().trustStore(file, PASSWORD),
                "trustStore: " + file
                        + " holds no certificate of an authority (expected: a JKS or PKCS12 file with one)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS"})
    void storesOfAuthoritiesAreTrusted(String type) throws IOException {
        Path file = AUTHORITY.writeStore(directory.resolve("a.store"), type, PASSWORD);
        KeyMaterial material =
                KeyMaterial.read(TlsOptions.builder().trustStore(file, PASSWORD).build());
        assertThat(trustManager(material).getAcceptedIssuers()).containsExactly(AUTHORITY.certificate());
        assertRefused(
                TlsOptions.builder().keyStore(file, PASSWORD),
                "keyStore: " + file + " holds no private key (expected: a JKS or PKCS12 file with one)");
    }

    @Test
    void everyAuthorityOfAFileIsTrusted() throws IOException {
        Certificates another = Certificates.newAuthority();
        Path file = write("ca.pem", AUTHORITY.pem() + "# the next one\n" + another.pem());
        KeyMaterial material =
                KeyMaterial.read(TlsOptions.builder().trustCertificates(file).build());
        assertThat(trustManager(material).getAcceptedIssuers())
                .containsExactlyInAnyOrder(AUTHORITY.certificate(), another.certificate());
        assertThat(material.keys()).isEmpty();
    }

    @Test
    void theJvmsOwnAuthoritiesAreTheDefault() {
        assertThat(trustManager(KeyMaterial.read(TlsOptions.defaults())).getAcceptedIssuers())
                .isNotEmpty();
    }

    @Test
    void aMissingFileIsNamed() {
        Path missing = directory.resolve("none");
        assertRefused(
                TlsOptions.builder().trustCertificates(missing),
                "trustCertificates: " + missing + " is missing (expected: a PEM file with certificates)");
        assertRefused(
                TlsOptions.builder().trustStore(missing, "canary"),
                "trustStore: " + missing + " is missing (expected: a JKS or PKCS12 file)");
        assertRefused(
                TlsOptions.builder().certificate(missing, missing),
                "certificate: " + missing + " is missing (expected: a PEM file with certificates)");
        assertRefused(
                TlsOptions.builder().keyStore(missing, "canary"),
                "keyStore: " + missing + " is missing (expected: a JKS or PKCS12 file)");
    }

    @Test
    void aMissingKeyIsNamed() throws IOException {
        Path missing = directory.resolve("none");
        assertRefused(
                TlsOptions.builder().certificate(fixture("ec-certificate.pem"), missing),
                "key: " + missing + " is missing (expected: a PEM file with a private key)");
    }

    @Test
    void aDirectoryIsNoFile() {
        assertRefused(
                TlsOptions.builder().trustCertificates(directory),
                "trustCertificates: " + directory + " is a directory (expected: a PEM file with certificates)");
    }

    @Test
    void whatIsNoCertificateIsSaidToBeNone() throws IOException {
        Path text = write("a.pem", "canary");
        Path key = fixture("ec-sec1.pem");
        for (Path file : new Path[] {text, key}) {
            assertRefused(
                    TlsOptions.builder().trustCertificates(file),
                    "trustCertificates: " + file + " holds no certificate (expected: a PEM file with certificates)");
        }
        Path broken = write("b.pem", CertifiedKey.pem("CERTIFICATE", new byte[] {1, 2, 3}));
        assertRefused(
                TlsOptions.builder().trustCertificates(broken),
                "trustCertificates: " + broken
                        + " holds a malformed certificate (expected: a PEM file with certificates)");
        Path malformed = write("c.pem", "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n");
        assertRefused(
                TlsOptions.builder().trustCertificates(malformed),
                "trustCertificates: " + malformed
                        + " holds a malformed block (expected: a PEM file with certificates)");
        assertRefused(
                TlsOptions.builder().keyStore(text, "canary"),
                "keyStore: " + text + " is of another kind (expected: a JKS or PKCS12 file)");
    }

    @Test
    void whatIsNoKeyIsSaidToBeNone() throws IOException {
        Path certificate = fixture("ec-certificate.pem");
        assertRefused(
                TlsOptions.builder().certificate(certificate, certificate),
                "key: " + certificate + " holds no private key (expected: a PEM file with one)");
        for (String label : new String[] {"PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"}) {
            Path broken = write("b.pem", CertifiedKey.pem(label, new byte[] {0x30, 0x7f, 1}));
            assertRefused(
                    TlsOptions.builder().certificate(certificate, broken),
                    "key: " + broken + " holds a private key in a form that can't be read"
                            + " (expected: PKCS#8, PKCS#1 or SEC1; RSA, EC or EdDSA)");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rsa-certificate.pem, ec-sec1.pem",
        "ec-certificate.pem,  rsa-pkcs1.pem",
        "ec-certificate.pem,  ed25519-pkcs8.pem",
    })
    void aKeyThatDoesNotFitTheCertificateIsRefused(String certificate, String key) throws IOException {
        assertUnfit(fixture(certificate), fixture(key));
    }

    @Test
    void aKeyOfTheSameKindThatDoesNotFitIsRefusedToo() throws IOException {
        Path certificate = write("a.pem", AUTHORITY.client("orders").certificatePem());
        assertUnfit(certificate, fixture("ec-sec1.pem"));
    }

    private static void assertUnfit(Path certificate, Path key) {
        assertRefused(
                TlsOptions.builder().certificate(certificate, key),
                "key: " + key + " does not fit the certificate"
                        + " (expected: the key that belongs to the first certificate of the chain)");
    }

    private static KeyMaterial assertHasKey(TlsOptions.Builder options) {
        KeyMaterial material = KeyMaterial.read(options.build());
        assertThat(keyManager(material).getPrivateKey(alias(keyManager(material))))
                .isNotNull();
        return material;
    }

    private static String alias(X509KeyManager keys) {
        for (String type : new String[] {"RSA", "EC", "EdDSA", "Ed25519"}) {
            String[] aliases = keys.getClientAliases(type, null);
            if (aliases != null) {
                return aliases[0];
            }
        }
        throw new AssertionError("no key");
    }

    private static X509KeyManager keyManager(KeyMaterial material) {
        KeyManagerFactory keys = material.keys().orElseThrow();
        return (X509KeyManager) keys.getKeyManagers()[0];
    }

    private static X509TrustManager trustManager(KeyMaterial material) {
        return (X509TrustManager) material.trust().getTrustManagers()[0];
    }

    /** With that sentence, and with none of the words that are secret here. */
    private static void assertRefused(TlsOptions.Builder options, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyMaterial.read(options.build()))
                .withMessage(sentence)
                .satisfies(refused -> {
                    StringWriter trace = new StringWriter();
                    refused.printStackTrace(new PrintWriter(trace));
                    assertThat(trace.toString()).doesNotContain("canary");
                });
    }

    private Path fixture(String name) throws IOException {
        Path file = directory.resolve(name);
        try (InputStream in = KeyMaterialTest.class.getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
