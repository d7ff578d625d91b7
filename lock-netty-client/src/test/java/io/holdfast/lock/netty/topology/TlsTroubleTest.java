package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.testkit.Certificates;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes of TLS in which code of the user, the network or the server goes wrong. */
@Tag("proof")
class TlsTroubleTest {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        Certificates authority = Certificates.newAuthority();
        server = RedisServer.builder()
                .tls(new ServerTls(authority, authority.server("localhost", "127.0.0.1"), false))
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** One loop serves both nodes, and the check of a certificate outlasts all that is done here. */
    @Test
    void aCheckOfCertificatesThatDoesNotReturnHoldsUpNoOther() throws Exception {
        CountDownLatch checked = new CountDownLatch(2);
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(2);
        TlsOptions slow = checking(() -> {
            checked.countDown();
            awaitUninterruptibly(released);
            over.countDown();
            // A refusal that nothing waits for any more.
            throw new IllegalStateException("canary");
        });
        ConnectionSettings settings = settings(server.url(), slow, Duration.ofMillis(300));
        try (Logs logs = new Logs();
                RedisServer plain = RedisServer.start();
                TestNode healthy = TestNode.connectPatiently(plain.url())) {
            TestNode hanging = healthy.beside(settings);
            Fault fault = hanging.send(TestNode.ECHO, "key", "hello", Duration.ofSeconds(1))
                    .fault();
            assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(checked.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(healthy.echo("still here").await()).isEqualTo("still here");
            hanging.close();
            assertThat(healthy.echo("and after").await()).isEqualTo("and after");

            released.countDown();
            assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("holdfast-test-tls")));
            assertThat(healthy.echo("at last").await()).isEqualTo("at last");
            assertThat(logs.everything()).noneMatch(line -> line.contains("exceptionCaught()"));
        } finally {
            released.countDown();
        }
    }

    @Test
    void aCheckOfCertificatesIsInterruptedWhenItsAttemptIsOver() throws Exception {
        CompletableFuture<Void> interrupted = new CompletableFuture<>();
        TlsOptions slow = checking(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupted.complete(null);
            }
        });
        Fault fault = refusal(settings(server.url(), slow, Duration.ofMillis(300)));
        assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
        interrupted.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aCheckOfCertificatesThatThrowsIsARefusalAtOnce() throws Exception {
        for (Runnable check : List.<Runnable>of(
                () -> {
                    throw new IllegalStateException("canary");
                },
                () -> {
                    throw new StackOverflowError("canary");
                })) {
            Fault fault = refusal(settings(server.url(), checking(check), Duration.ofSeconds(20)));
            assertThat(fault.kind()).isEqualTo(Kind.TLS);
            assertThat(fault.detail())
                    .startsWith("the handshake of TLS failed: java.lang.")
                    .doesNotContain("canary");
        }
    }

    @Test
    void aContextThatMakesNoEngineIsARefusalAtOnce() throws Exception {
        SSLContext broken =
                new SSLContext(new NoEngines(), SSLContext.getDefault().getProvider(), "TLS") {};
        TlsOptions options = TlsOptions.builder().sslContext(broken).build();
        Fault fault = refusal(settings(server.url(), options, Duration.ofSeconds(20)));
        assertThat(fault.kind()).isEqualTo(Kind.TLS);
        assertThat(fault.detail()).isEqualTo("the handshake of TLS failed: java.lang.IllegalStateException");
    }

    /** Whether it was a restart or a network, it passes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatEndsDuringTheHandshakeIsUnreachable(boolean byReset) throws Exception {
        for (boolean afterHello : new boolean[] {true, false}) {
            Fault fault = faultOfHangingUp(afterHello, byReset);
            assertThat(fault.kind()).as(fault.detail()).isEqualTo(Kind.UNREACHABLE);
            assertThat(fault.detail()).doesNotContain("Exception", "control frames");
            if (!byReset || afterHello) {
                // A reset at once may end the connection before it has begun.
                assertThat(fault.detail()).contains(" during the handshake of TLS");
            }
            if (!byReset && afterHello) {
                assertThat(fault.detail()).contains("the server closed the connection during");
            }
        }
    }

    /** Hangs up on all connections of a node, until it fails a call. */
    private static Fault faultOfHangingUp(boolean afterHello, boolean byReset) throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TestNode node =
                        TestNode.lazy(settings(urlOf(listening), TlsOptions.defaults(), Duration.ofSeconds(20)))) {
            var probe = node.send(TestNode.ECHO, "key", "hello", Duration.ofSeconds(1));
            listening.setSoTimeout(100);
            while (!probe.outcome.isDone()) {
                try (Socket socket = listening.accept()) {
                    if (afterHello) {
                        assertThat(socket.getInputStream().read(new byte[4_096]))
                                .isPositive();
                    }
                    socket.setSoLinger(byReset, 0);
                } catch (SocketTimeoutException notYet) {
                    continue;
                }
            }
            return probe.fault();
        }
    }

    @Test
    void aMalformedExtensionIsAMatterOfTlsAndNoneOfNettys() throws Exception {
        byte[] hello = HexFormat.of()
                .parseHex("160303002f" + "0200002b" + "0303" + "11".repeat(32) + "00" + "c02f" + "00" + "0003"
                        + "002b00");
        try (Logs logs = new Logs();
                ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> answer(listening, hello));
            Fault fault = refusal(settings(urlOf(listening), TlsOptions.defaults(), Duration.ofSeconds(20)));
            served.join();
            assertThat(fault.kind()).as(fault.detail()).isEqualTo(Kind.TLS);
            assertThat(logs.everything()).noneMatch(line -> line.contains("exceptionCaught()"));
        }
    }

    private static void answer(ServerSocket listening, byte[] answer) {
        try (Socket socket = listening.accept()) {
            assertThat(socket.getInputStream().read(new byte[4_096])).isPositive();
            socket.getOutputStream().write(answer);
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException cut) {
            return;
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException goOn) {
                continue;
            }
        }
    }

    private static ConnectionSettings settings(String url, TlsOptions options, Duration connectTimeout) {
        return TestNode.settings(url, options, host -> List.of(InetAddress.getLoopbackAddress()), connectTimeout);
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

    /** Options of a user whose context trusts what a check lets pass. */
    private static TlsOptions checking(Runnable check) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Checking(check)}, null);
        return TlsOptions.builder().sslContext(context).build();
    }

    private static final class Checking extends X509ExtendedTrustManager {

        private final Runnable check;

        Checking(Runnable check) {
            this.check = check;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            check.run();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            check.run();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            check.run();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** A context that is asked for what it has, and breaks when it should make an engine. */
    private static final class NoEngines extends SSLContextSpi {

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return defaults().createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            throw new IllegalStateException("canary");
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {}

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return defaults().getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return defaults().getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return defaults().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return defaults().getClientSessionContext();
        }

        private static SSLContext defaults() {
            try {
                return SSLContext.getDefault();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
