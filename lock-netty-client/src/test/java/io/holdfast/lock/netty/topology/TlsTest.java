package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.CertifiedKey;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerTls;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections over TLS to a real server: what they need, what is refused, and in which words. */
class TlsTest {

    private static final Certificates AUTHORITY = Certificates.newAuthority();

    private static RedisServer server;
    private static RedisServer mutual;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        CertifiedKey certificate = AUTHORITY.server("localhost", "127.0.0.1");
        server = RedisServer.builder()
                .tls(new ServerTls(AUTHORITY, certificate, false))
                .start();
        mutual = RedisServer.builder()
                .tls(new ServerTls(AUTHORITY, certificate, true))
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
        mutual.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void callsAndMessagesTravelOverTls(String protocol) throws Exception {
        try (TestNode node = connect(server.url(), trusting(builder -> builder.protocols(protocol)));
                RawRedis raw = server.connect()) {
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            String large = "x".repeat(300_000);
            assertThat(node.echo(large).await()).isEqualTo(large);

            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            raw.command("PUBLISH", "news", "hello");
            await().until(() -> news.contains("hello"));
        }
    }

    @Test
    void aNameIsVerifiedAsAnAddressIs() throws Exception {
        String byName = "rediss://localhost:" + server.port();
        try (TestNode node = connect(byName, trusting(builder -> builder))) {
            assertThat(node.echo("hello").await()).isEqualTo("hello");
        }
    }

    @Test
    void aContextOfTheUsersOwnIsEnough() {
        TlsOptions given =
                TlsOptions.builder().sslContext(AUTHORITY.clientContext(null)).build();
        try (TestNode node = connect(server.url(), given)) {
            assertThat(node.echo("hello").await()).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aServerThatWantsACertificateGetsIt(String protocol) throws Exception {
        CertifiedKey client = AUTHORITY.client("orders");
        Path chain = Files.writeString(directory.resolve("client.pem"), client.certificatePem());
        Path key = Files.writeString(directory.resolve("client.key"), client.keyPem());
        Path store = client.writeStore(directory.resolve("client.p12"), "PKCS12", "open-sesame");
        List<TlsOptions> showing = List.of(
                trusting(builder -> builder.protocols(protocol).certificate(chain, key)),
                trusting(builder -> builder.protocols(protocol).keyStore(store, "open-sesame")),
                TlsOptions.builder()
                        .protocols(protocol)
                        .sslContext(AUTHORITY.clientContext(client))
                        .build());
        for (TlsOptions options : showing) {
            try (TestNode node = connect(mutual.url(), options)) {
                assertThat(node.echo("hello").await()).isEqualTo("hello");
            }
        }
    }

    /** In TLS 1.3 the server says so after the handshake, and its words may be lost behind a reset. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aServerThatWantsACertificateGetsNone(String protocol) throws Exception {
        ConnectionSettings settings = TestNode.settings(
                mutual.url(), trusting(builder -> builder.protocols(protocol)), host -> List.of(loopback()));
        try (TestNode node = TestNode.lazy(settings)) {
            Fault fault = node.send(TestNode.ECHO, "key", "hello", Duration.ofSeconds(1))
                    .fault();
            assertThat(fault.kind()).isIn(Kind.TLS, Kind.UNREACHABLE);
            assertThat(fault.detail()).contains("certificate of the client");
        }
    }

    @Test
    void aCertificateOfAnotherNameIsRefused() throws Exception {
        try (RedisServer elsewhere = started(AUTHORITY.server("elsewhere.example", "10.11.12.13"))) {
            for (String host : List.of("127.0.0.1", "localhost")) {
                Fault fault = refusal("rediss://" + host + ":" + elsewhere.port(), trusting(builder -> builder));
                assertThat(fault.kind()).isEqualTo(Kind.TLS);
                assertThat(fault.detail()).startsWith("the server's certificate is not for " + host + " (");
            }
            for (String name : List.of("elsewhere.example", "10.11.12.13")) {
                try (TestNode node = connect(elsewhere.url(), trusting(builder -> builder.serverName(name)))) {
                    assertThat(node.echo("hello").await()).isEqualTo("hello");
                }
            }
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() throws Exception {
        Path others = Files.writeString(
                directory.resolve("others.pem"), Certificates.newAuthority().pem());
        for (TlsOptions options : List.of(
                TlsOptions.defaults(),
                TlsOptions.builder().trustCertificates(others).build())) {
            Fault fault = refusal(server.url(), options);
            assertThat(fault.kind()).isEqualTo(Kind.TLS);
            assertThat(fault.detail()).isEqualTo("the server's certificate is signed by no authority that is trusted");
        }
    }

    @Test
    void aCertificateOutsideOfItsTimeIsRefused() throws Exception {
        try (RedisServer late = started(AUTHORITY.expired("localhost", "127.0.0.1"));
                RedisServer early = started(AUTHORITY.notYetValid("localhost", "127.0.0.1"))) {
            Fault expired = refusal(late.url(), trusting(builder -> builder));
            assertThat(expired.kind()).isEqualTo(Kind.TLS);
            assertThat(expired.detail()).startsWith("the server's certificate has expired (NotAfter: ");
            Fault notYet = refusal(early.url(), trusting(builder -> builder));
            assertThat(notYet.kind()).isEqualTo(Kind.TLS);
            assertThat(notYet.detail()).startsWith("the server's certificate is not valid yet (NotBefore: ");
        }
    }

    @Test
    void aServerWithoutTlsIsNamedAsSuch() throws Exception {
        try (ServerSocket talkative = new ServerSocket(0, 10, loopback())) {
            CompletableFuture<Void> said = CompletableFuture.runAsync(() -> say("-ERR what?\r\n", talkative));
            Fault fault = refusal(urlOf(talkative), trusting(builder -> builder));
            assertThat(fault.kind()).isEqualTo(Kind.TLS);
            assertThat(fault.detail()).startsWith("the server speaks no TLS on this port (expected: ");
            said.join();
        }
    }

    /** Redis takes the handshake of TLS for the beginning of a line, and waits for the rest. */
    @Test
    void aServerWithoutTlsThatIsSilentIsGuessedAt() throws Exception {
        try (RedisServer plain = RedisServer.start()) {
            Fault fault = refusal(TestNode.settings(
                    "rediss://127.0.0.1:" + plain.port(),
                    trusting(builder -> builder),
                    host -> List.of(loopback()),
                    Duration.ofMillis(500)));
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.detail()).endsWith("; perhaps the server speaks no TLS on this port");
        }
    }

    @Test
    void aServerWithTlsIsGuessedAtByAPlainClient() {
        Fault fault = refusal(TestNode.settings("redis://127.0.0.1:" + server.port(), Duration.ofSeconds(1)));
        assertThat(fault.detail()).contains("TLS");
    }

    /** What an attack on the network looks like is no word on certificates. */
    @Test
    void aConnectionThatIsCutDuringTheHandshakeIsUnreachable() throws Exception {
        try (ServerSocket hangingUp = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TestNode node = TestNode.lazy(TestNode.settings(urlOf(hangingUp), trusting(builder -> builder)))) {
            var probe = node.send(TestNode.ECHO, "key", "hello", Duration.ofSeconds(1));
            hangingUp.setSoTimeout(100);
            while (!probe.outcome.isDone()) {
                try {
                    hangingUp.accept().close();
                } catch (java.net.SocketTimeoutException notYet) {
                    continue;
                }
            }
            assertThat(probe.fault().kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(probe.fault().detail()).contains("handshake of TLS");
        }
    }

    @Test
    void theHandshakeOfTlsHasTheTimeOfTheAttempt() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            TlsOptions options = trusting(builder -> builder);
            ConnectionSettings settings =
                    TestNode.settings(urlOf(silent), options, host -> List.of(loopback()), Duration.ofMillis(300));
            long start = System.nanoTime();
            Fault fault = refusal(settings);
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.detail()).startsWith("no answer to the handshake of TLS within 300 ms; ");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(290), Duration.ofMillis(2_300));
        }
    }

    /** Of several servers behind a name, one has a certificate that no client takes. */
    @Test
    void theOtherAddressesHaveTheirTurnAfterARefusedCertificate() throws Exception {
        InetAddress other = InetAddress.getByName("127.0.0.2");
        try (ServerSocket expired = AUTHORITY
                .expired("localhost")
                .serverContext()
                .getServerSocketFactory()
                .createServerSocket(server.port(), 10, other)) {
            CompletableFuture<Socket> accepted = CompletableFuture.supplyAsync(() -> handshakeOf(expired));
            ConnectionSettings settings = TestNode.settings(
                    "rediss://localhost:" + server.port(),
                    trusting(builder -> builder),
                    host -> List.of(other, loopback()));
            try (TestNode node = TestNode.connect(settings)) {
                assertThat(node.echo("hello").await()).isEqualTo("hello");
                accepted.join().close();
            }
        }
    }

    @Test
    void replacedFilesCountForNewConnections() throws Exception {
        Certificates next = Certificates.newAuthority();
        Path trusted = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.pem());
        try (Logs logs = new Logs();
                RedisServer renewed = started(AUTHORITY.server("localhost", "127.0.0.1"));
                TestNode node = connect(
                        renewed.url(),
                        TlsOptions.builder().trustCertificates(trusted).build());
                RawRedis raw = renewed.connect()) {
            // A file that is of no use: the authority of before goes on to be trusted, which is said once.
            Files.writeString(trusted, "half a file");
            for (int i = 0; i < 3; i++) {
                cut(raw, node);
            }
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("files of TLS"))
                    .hasSize(1);

            Files.writeString(trusted, next.pem());
            CertifiedKey certificate = next.server("localhost", "127.0.0.1");
            Files.writeString(renewed.directory().resolve("server.pem"), certificate.certificatePem());
            Files.writeString(renewed.directory().resolve("server.key"), certificate.keyPem());
            Files.writeString(renewed.directory().resolve("authority.pem"), next.pem());
            // Set to what it was: the server reads the files again.
            raw.command(
                    "CONFIG",
                    "SET",
                    "tls-cert-file",
                    renewed.directory().resolve("server.pem").toString());
            cut(raw, node);
            assertThat(logs.ours(Level.INFO))
                    .filteredOn(line -> line.contains("files of TLS"))
                    .hasSize(1);
        }
    }

    /** Nothing is ever written to the pipe, so that reading it would not end. */
    @Test
    void aFileThatBecomesAPipeIsRefused() throws Exception {
        Path trusted = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.pem());
        TlsOptions options = TlsOptions.builder().trustCertificates(trusted).build();
        try (Logs logs = new Logs();
                TestNode node = connect(server.url(), options);
                RawRedis raw = server.connect()) {
            Files.delete(trusted);
            assertThat(new ProcessBuilder("mkfifo", trusted.toString()).start().waitFor())
                    .isZero();
            cut(raw, node);
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("trustCertificates: ") && line.contains("is no regular file"))
                    .hasSize(1);
        }
    }

    /** Ends the node's connections, and waits until it has new ones. */
    private static void cut(RawRedis raw, TestNode node) {
        int before = node.news.size();
        raw.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        await().atMost(Duration.ofSeconds(10)).until(() -> node.news.size() >= before + 2);
        assertThat(node.echo("hello").await()).isEqualTo("hello");
    }

    @Test
    void noSecretIsTold() throws Exception {
        Path store = AUTHORITY.client("orders").writeStore(directory.resolve("a.p12"), "PKCS12", "canary-3c9e");
        TlsOptions options = trusting(builder -> builder.keyStore(store, "canary-3c9e"));
        try (Logs logs = new Logs()) {
            ConnectionSettings settings = TestNode.settings(mutual.url(), options);
            try (TestNode node = TestNode.connect(settings)) {
                assertThat(node.echo("hello").await()).isEqualTo("hello");
            }
            assertThat(settings.toString()).contains("a.p12").doesNotContain("canary");
            assertThat(logs.everything()).isNotEmpty().noneMatch(line -> line.contains("canary"));
        }
    }

    private static void say(String words, ServerSocket listening) {
        try (Socket socket = listening.accept()) {
            socket.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
            // Until the client has hung up, so that no word is lost.
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Accepts a connection and shakes hands with it; the client may not like that. */
    private static Socket handshakeOf(ServerSocket listening) {
        try {
            SSLSocket socket = (SSLSocket) listening.accept();
            assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RedisServer started(CertifiedKey certificate) {
        return RedisServer.builder()
                .tls(new ServerTls(AUTHORITY, certificate, false))
                .start();
    }

    /** Options that trust the authority of this class. */
    private TlsOptions trusting(UnaryOperator<TlsOptions.Builder> more) throws IOException {
        Path file = Files.writeString(directory.resolve("authority.pem"), AUTHORITY.pem());
        return more.apply(TlsOptions.builder().trustCertificates(file)).build();
    }

    private static TestNode connect(String url, TlsOptions options) {
        return TestNode.connect(TestNode.settings(url, options));
    }

    private static Fault refusal(String url, TlsOptions options) {
        return refusal(TestNode.settings(url, options));
    }

    private static Fault refusal(ConnectionSettings settings) {
        try (TestNode node = TestNode.lazy(settings)) {
            Throwable failure = catchThrowable(
                    () -> node.node.connect().toCompletableFuture().join());
            return ((ConnectFailedException) failure.getCause()).fault();
        }
    }

    private static String urlOf(ServerSocket socket) {
        return "rediss://127.0.0.1:" + socket.getLocalPort();
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }
}
