package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.CertifiedKey;
import io.holdfast.lock.tests.support.ClientThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and certificates that can't be used: a sentence for each, by every way to connect, and nothing is opened. */
class TlsMaterialTest {

    private static final Certificates AUTHORITY = Certificates.newAuthority();

    /** An encrypted key in name: whether there is a password is seen before its content is. */
    private static final String ENCRYPTED = CertifiedKey.pem("ENCRYPTED PRIVATE KEY", new byte[] {0x30, 0x00});

    @TempDir
    Path directory;

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        server.setSoTimeout(1);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void eachFileThatCannotBeUsedHasASentence() throws IOException {
        CertifiedKey client = AUTHORITY.client("orders");
        Path chain = file("client.pem", client.certificatePem());
        Path fitting = file("client.key", client.keyPem());
        Path other = file("other.key", AUTHORITY.client("orders").keyPem());
        Path encrypted = file("encrypted.key", ENCRYPTED);
        Path missing = directory.resolve("missing.pem");
        Path store = client.writeStore(directory.resolve("client.p12"), "PKCS12", "open-sesame");
        Map<String, TlsOptions.Builder> sentences = Map.of(
                "trustCertificates: " + missing + " is missing",
                TlsOptions.builder().trustCertificates(missing),
                "trustCertificates: " + fitting + " holds no certificate",
                TlsOptions.builder().trustCertificates(fitting),
                "key: " + other + " does not fit the certificate",
                TlsOptions.builder().certificate(chain, other),
                "key: " + encrypted + " is encrypted, and there is no password for it",
                TlsOptions.builder().certificate(chain, encrypted),
                "keyStore: " + store + " has another password",
                TlsOptions.builder().keyStore(store, "canary"));

        sentences.forEach(
                (sentence, tls) -> assertRefused("rediss://127.0.0.1:" + server.getLocalPort(), tls.build(), sentence));
    }

    @Test
    void tlsOptionsForAPlainAddressAreRefused() throws IOException {
        Path trusted = file("ca.pem", AUTHORITY.pem());
        assertRefused(
                "redis://127.0.0.1:" + server.getLocalPort(),
                TlsOptions.builder().trustCertificates(trusted).build(),
                "tls: options for an address without TLS");
        assertRefused(
                "unix:///tmp/redis.sock",
                TlsOptions.builder().serverName("redis").build(),
                "tls: options for an address without TLS");
    }

    private void assertRefused(String url, TlsOptions tls, String sentence) {
        ClientOptions options = ClientOptions.builder().tls(tls).build();
        QuorumOptions quorum = QuorumOptions.defaults();
        List<String> urls = List.of(url, url, url);
        List<ThrowingCallable> ways = List.of(
                () -> LockClient.connect(url, options),
                () -> LockClient.connect(url, options.toBuilder().lazy(true).build()),
                () -> LockClient.connectAsync(url, options),
                () -> LockClient.connectQuorum(urls, options, quorum),
                () -> LockClient.connectQuorumAsync(urls, options, quorum));
        for (ThrowingCallable way : ways) {
            assertThatIllegalArgumentException()
                    .isThrownBy(way)
                    .withMessageStartingWith(sentence + " (expected: ")
                    .withMessageNotContaining("canary");
        }
        assertThat(ClientThreads.names()).isEmpty();
        assertThat(hasCaller()).isFalse();
    }

    private boolean hasCaller() {
        try {
            server.accept().close();
            return true;
        } catch (SocketTimeoutException none) {
            return false;
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException(broken);
        }
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
