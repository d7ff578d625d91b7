package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectTest {

    /** For connects that fail only when their time is over. */
    private static final Duration SOON = Duration.ofMillis(300);

    @Test
    void aUserOfTheAccessControlList() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect()) {
            raw.command("ACL", "SETUSER", "ann", "on", ">se:cr@et", "allkeys", "allchannels", "+@all");
            try (TestNode node = TestNode.connect("redis://ann:se%3Acr%40et@127.0.0.1:" + server.port() + "/3")) {
                assertThat(node.send(TestNode.SET, "key", "value", Duration.ofSeconds(1))
                                .await())
                        .isEqualTo("OK");
                Map<String, String> client = clientNamed(raw, "test");
                assertThat(client).containsEntry("user", "ann").containsEntry("db", "3");
            }
            raw.command("SELECT", "3");
            assertThat(raw.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void aServerWithoutHello() {
        try (RedisServer server = RedisServer.builder()
                        .option("rename-command", "HELLO", "\"\"")
                        .option("requirepass", "secret")
                        .start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect("redis://:secret@127.0.0.1:" + server.port() + "/2")) {
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            assertThat(clientNamed(raw, "test")).containsEntry("db", "2");

            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            org.awaitility.Awaitility.await().until(() -> news.contains("ready"));
            raw.command("PUBLISH", "news", "hello");
            org.awaitility.Awaitility.await().until(() -> news.contains("hello"));
        }
    }

    @Test
    void aServerWithoutHelloThatWantsAPassword() {
        try (RedisServer server = RedisServer.builder()
                .option("rename-command", "HELLO", "\"\"")
                .option("requirepass", "secret")
                .start()) {
            assertThat(refusal(server.url()).kind()).isEqualTo(Kind.NOAUTH);
        }
    }

    @Test
    void wrongAndMissingPasswordsAreToldAtOnce() {
        try (RedisServer server =
                RedisServer.builder().option("requirepass", "secret").start()) {
            assertThat(refusal(server.url()).kind()).isEqualTo(Kind.NOAUTH);
            assertThat(refusal("redis://:wrong@127.0.0.1:" + server.port()).kind())
                    .isEqualTo(Kind.WRONGPASS);
        }
    }

    @Test
    void aWrongPasswordIsNoRetryStormAndRecovers() {
        try (RedisServer server =
                        RedisServer.builder().option("requirepass", "secret").start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.lazy(TestNode.settings("redis://:new@127.0.0.1:" + server.port()))) {
            assertThat(node.echo("first").fault().kind()).isEqualTo(Kind.WRONGPASS);
            long connectionsBefore = connections(raw);
            for (int i = 0; i < 100; i++) {
                Fault fault = node.echo("later").fault();
                assertThat(fault.kind()).isEqualTo(Kind.WRONGPASS);
                assertThat(fault.maybeApplied()).isFalse();
            }
            assertThat(connections(raw) - connectionsBefore).isLessThanOrEqualTo(2);

            raw.command("CONFIG", "SET", "requirepass", "new");
            org.awaitility.Awaitility.await()
                    .until(() -> node.echo("hello").await().equals("hello"));
        }
    }

    @Test
    void aDatabaseOutOfRangeIsToldAtOnce() {
        try (RedisServer server = RedisServer.start()) {
            Fault fault = refusal(server.url() + "/9999");
            assertThat(fault.kind()).isEqualTo(Kind.SERVER_ERROR);
            assertThat(fault.detail()).contains("SELECT 9999");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "+OK POP3 ready\r\n",
                "\0\1\2\3",
                "*99999999\r\n"
            })
    void whatIsNotRedisIsToldAtOnce(String greeting) throws IOException {
        try (ServerSocket impostor = impostor(greeting)) {
            long start = System.nanoTime();
            assertThat(refusal(urlOf(impostor)).kind()).isEqualTo(Kind.NOT_REDIS);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(2_000));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 400 Bad Request, HTTP",
        "SSH-2.0-OpenSSH_9.2, SSH",
        "'\u0015\u0003\u0003\u0000\u0002\u0002\u0028', TLS"
    })
    void aPeerThatSpeaksAnotherProtocolIsNamed(String greeting, String protocol) throws IOException {
        try (ServerSocket impostor = impostor(greeting + "\r\n")) {
            Fault fault = refusal(urlOf(impostor));
            assertThat(fault.kind()).isEqualTo(Kind.NOT_REDIS);
            assertThat(fault.detail()).startsWith("the peer speaks " + protocol);
        }
    }

    /** What a server that expects TLS does, if it is not told the beginning of it. */
    @Test
    void aPeerThatHangsUpWithoutAWordMayExpectTls() throws IOException {
        try (ServerSocket hangingUp = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TestNode node = TestNode.lazy(TestNode.settings(urlOf(hangingUp)))) {
            Probe probe = node.send(TestNode.ECHO, "key", "hello", Duration.ofSeconds(1));
            while (!probe.outcome.isDone()) {
                hangingUp.setSoTimeout(100);
                try {
                    hangingUp.accept().close();
                } catch (SocketTimeoutException nobodyConnects) {
                    continue;
                }
            }
            assertThat(probe.fault().detail()).contains("without a word", "TLS", "HELLO");
        }
    }

    @Test
    void aSilentServerIsUnreachableWithinTheConnectTimeout() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            long start = System.nanoTime();
            Fault fault = refusal(TestNode.settings(urlOf(silent), SOON));
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.detail()).isEqualTo("no answer to the handshake within 300 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(SOON.minusMillis(10), SOON.plusMillis(2_000));
        }
    }

    @Test
    void nobodyListens() throws IOException {
        ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        gone.close();
        Fault fault = refusal(TestNode.settings(urlOf(gone), SOON));
        assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(fault.detail()).containsIgnoringCase("refused");
        assertThat(fault.maybeApplied()).isFalse();
    }

    @Test
    void anUnknownHost() {
        // A look-up takes its time where no name server answers.
        Fault fault = refusal(TestNode.settings("redis://no_such_host.invalid:6379", Duration.ofSeconds(1)));
        assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(fault.detail()).contains("unknown");
    }

    @Test
    void tooManyClientsIsTold() {
        try (RedisServer server = RedisServer.start();
                RawRedis first = server.connect();
                RawRedis second = server.connect()) {
            second.command("PING");
            // Those that the server's start has cost may not be gone yet.
            await().until(() -> first.clients().size() == 2);
            first.command("CONFIG", "SET", "maxclients", "2");
            ConnectionSettings settings = TestNode.settings(server.url());
            try (TestNode node = TestNode.lazy(settings)) {
                Probe probe = node.send(TestNode.ECHO, "key", "hello", Duration.ofMillis(300));
                Fault fault = probe.fault();
                assertThat(fault.kind()).isIn(Kind.MAXCLIENTS, Kind.UNREACHABLE);
                assertThat(fault.maybeApplied()).isFalse();
                second.close();
                org.awaitility.Awaitility.await()
                        .until(() -> node.echo("hello").await().equals("hello"));
            }
        }
    }

    @Test
    void anEvictingServerIsWarnedOfOnce() {
        try (RedisServer server = RedisServer.builder()
                        .option("maxmemory-policy", "allkeys-lru")
                        .start();
                RawRedis raw = server.connect();
                Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url())) {
            raw.command("CLIENT", "KILL", "TYPE", "normal");
            org.awaitility.Awaitility.await().until(() -> node.news.size() == 3);
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("allkeys-lru"))
                    .hasSize(1);
        }
    }

    /** Why connecting fails, as the caller of connect hears it. */
    private static Fault refusal(String url) {
        return refusal(TestNode.settings(url));
    }

    private static Fault refusal(ConnectionSettings settings) {
        try (TestNode node = TestNode.lazy(settings)) {
            Throwable thrown = catchThrowable(
                    () -> node.node.connect().toCompletableFuture().join());
            assertThat(thrown).hasCauseInstanceOf(ConnectFailedException.class);
            return ((ConnectFailedException) thrown.getCause()).fault();
        }
    }

    private static Map<String, String> clientNamed(RawRedis raw, String name) {
        return raw.clients().stream()
                .filter(client -> name.equals(client.get("name")))
                .findFirst()
                .orElseThrow();
    }

    private static long connections(RawRedis raw) {
        return Long.parseLong(raw.info("stats").get("total_connections_received"));
    }

    private static String urlOf(ServerSocket socket) {
        return "redis://127.0.0.1:" + socket.getLocalPort();
    }

    /** Says the same to everybody as soon as they have said something. */
    private static ServerSocket impostor(String greeting) throws IOException {
        ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> greetAll(listening, greeting), "impostor");
        thread.setDaemon(true);
        thread.start();
        return listening;
    }

    private static void greetAll(ServerSocket listening, String greeting) {
        while (!listening.isClosed()) {
            try (Socket client = listening.accept()) {
                if (client.getInputStream().read() >= 0) {
                    client.getOutputStream().write(greeting.getBytes(StandardCharsets.UTF_8));
                    client.getOutputStream().flush();
                    while (client.getInputStream().read() >= 0) {
                        // until the client hangs up
                    }
                }
            } catch (IOException hungUp) {
                if (!listening.isClosed() && !(hungUp instanceof java.net.SocketException)) {
                    throw new UncheckedIOException(hungUp);
                }
            }
        }
    }
}
