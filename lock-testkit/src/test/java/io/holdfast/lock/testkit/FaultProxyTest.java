package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.FaultProxy.Link;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RedisTest
class FaultProxyTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    RedisServer redis;
    private FaultProxy proxy;

    @BeforeEach
    void startProxy() {
        proxy = FaultProxy.to(redis);
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
    }

    @Test
    void aHealthyProxyPassesEverythingOn() {
        String large = "x".repeat(5_000_000);
        try (RawRedis client = client()) {
            client.command("SET", "a", large);
            assertThat(client.command("GET", "a")).isEqualTo(large);
            assertThat(proxy.traffic().requestsForwarded()).isGreaterThan(5_000_000);
            assertThat(proxy.traffic().repliesForwarded()).isGreaterThan(5_000_000);
        }
        proxy.awaitConnections(0);
        assertThat(proxy.traffic().repliesForwarded()).isGreaterThan(5_000_000);
    }

    @Test
    void aTwinLeadsToAnotherServerByTheSamePort() {
        try (RedisServer other = RedisServer.start();
                FaultProxy twin = proxy.twin("127.0.0.2", other);
                RawRedis first = client();
                RawRedis second = RawRedis.connect(twin.host(), twin.port())) {
            assertThat(twin.port()).isEqualTo(proxy.port());
            assertThat(first.info("server").get("tcp_port")).isEqualTo("" + redis.port());
            assertThat(second.info("server").get("tcp_port")).isEqualTo("" + other.port());
            assertThatThrownBy(() -> proxy.twin("192.0.2.1", other))
                    .hasMessageStartingWith("host: 192.0.2.1 (expected: ");
        }
    }

    @Test
    void swallowedRepliesLeaveTheRequestApplied() {
        try (RawRedis client = client();
                RawRedis direct = redis.connect()) {
            proxy.swallowReplies();
            client.send("SET", "a", "1");
            proxy.awaitTraffic(traffic -> traffic.repliesSwallowed() == "+OK\r\n".length());
            assertThat(direct.command("GET", "a")).isEqualTo("1");
            assertUnanswered(client);

            proxy.heal();
            assertCut(client);
        }
        try (RawRedis next = client()) {
            assertThat(next.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void swallowedRequestsNeverArrive() {
        try (RawRedis client = client();
                RawRedis direct = redis.connect()) {
            client.command("PING");
            proxy.swallowRequests();
            client.send("SET", "a", "1");
            proxy.awaitTraffic(traffic -> traffic.requestsSwallowed() > 0);
            assertUnanswered(client);
            assertThat(direct.command("GET", "a")).isNull();
        }
    }

    @Test
    void heldRequestsAndRepliesArriveLate() {
        try (RawRedis client = client();
                RawRedis direct = redis.connect()) {
            client.command("PING");
            proxy.holdReplies();
            client.send("SET", "a", "1");
            await().until(() -> "1".equals(direct.command("GET", "a")));
            assertUnanswered(client);
            proxy.heal();
            assertThat(client.receive()).isEqualTo("OK");

            proxy.holdRequests();
            client.send("SET", "a", "2");
            assertUnanswered(client);
            assertThat(direct.command("GET", "a")).isEqualTo("1");
            proxy.heal();
            assertThat(client.receive()).isEqualTo("OK");
            assertThat(direct.command("GET", "a")).isEqualTo("2");
        }
    }

    @Test
    void aBlackHoleAcceptsAndStaysSilent() {
        proxy.blackhole();
        try (RawRedis client = client()) {
            client.send("PING");
            assertUnanswered(client);
            proxy.heal();
            assertThat(client.receive()).isEqualTo("PONG");
        }
    }

    @Test
    void delaysAddToTheRoundTripAndKeepTheOrder() {
        try (RawRedis client = client()) {
            client.command("PING");
            proxy.delayRequests(Duration.ofMillis(40));
            proxy.delayReplies(Duration.ofMillis(60));
            long startNanos = System.nanoTime();
            IntStream.range(0, 10).forEach(i -> client.send("ECHO", String.valueOf(i)));
            for (int i = 0; i < 10; i++) {
                assertThat(client.receive()).isEqualTo(String.valueOf(i));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThan(Duration.ofMillis(99));
        }
    }

    @Test
    void healingDeliversWhatWasDelayedAtOnce() {
        try (RawRedis client = client()) {
            proxy.delayReplies(Duration.ofHours(1));
            client.send("PING");
            assertUnanswered(client);
            proxy.heal();
            assertThat(client.receive()).isEqualTo("PONG");
        }
    }

    @Test
    void cuttingResetsBothSides() {
        try (RawRedis client = client();
                RawRedis direct = redis.connect()) {
            client.command("PING");
            Link link = proxy.awaitConnections(1).get(0);
            proxy.cutAll();
            link.awaitClosed();
            assertCut(client);
            await().until(() -> direct.clients().size() == 1);
        }
    }

    @Test
    void anOrderlyEndIsNoReset() {
        try (RawRedis client = client()) {
            client.command("PING");
            proxy.connections().get(0).end();
            assertThatThrownBy(client::receive).hasCauseInstanceOf(EOFException.class);
        }
    }

    @Test
    void cuttingTheClientLeavesTheServerWithWhatItWasSent() {
        try (RawRedis client = client();
                RawRedis direct = redis.connect()) {
            client.command("PING");
            redis.pause();
            client.send("SET", "a", "1");
            proxy.awaitTraffic(traffic -> traffic.requestsForwarded() > "*1\r\n$4\r\nPING\r\n".length());
            Link link = proxy.connections().get(0);
            link.cutClient();
            assertCut(client);
            redis.resume();
            await().until(() -> "1".equals(direct.command("GET", "a")));
            assertThat(direct.clients()).hasSize(2);
            assertThat(link.isOpen()).isTrue();

            link.cut();
            await().until(() -> direct.clients().size() == 1);
        }
    }

    @Test
    void rulesCanBeSetForOneConnection() {
        try (RawRedis first = client();
                RawRedis second = client()) {
            first.command("PING");
            second.command("PING");
            List<Link> links = proxy.awaitConnections(2);
            assertThat(links).extracting(Link::number).containsExactly(1, 2);
            links.get(0).blackhole();
            first.send("PING");
            assertUnanswered(first);
            assertThat(second.command("PING")).isEqualTo("PONG");

            links.get(0).heal();
            assertThat(first.receive()).isEqualTo("PONG");
        }
    }

    @Test
    void aConnectionKnowsHowTheServerSeesIt() {
        try (RawRedis client = client()) {
            String info = String.valueOf(client.command("CLIENT", "INFO"));
            assertThat(info)
                    .contains("addr=127.0.0.1:" + proxy.connections().get(0).port() + " ");
        }
    }

    @Test
    void rulesCanBeSetBeforeTheFirstByte() {
        proxy.onAccept(link -> {
            if (link.number() == 2) {
                link.swallowRequests();
            }
        });
        try (RawRedis first = client();
                RawRedis second = client()) {
            assertThat(first.command("PING")).isEqualTo("PONG");
            second.send("PING");
            assertUnanswered(second);
            assertThat(proxy.accepted()).isEqualTo(2);
        }
    }

    @Test
    void refusingLeavesPresentConnectionsAlone() {
        try (RawRedis client = client()) {
            client.command("PING");
            proxy.refuse();
            assertThatThrownBy(this::client).hasMessageContaining("Connection refused");
            assertThat(client.command("PING")).isEqualTo("PONG");
            proxy.heal();
            try (RawRedis next = client()) {
                assertThat(next.command("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void theEndOfEitherSideIsPassedOn() {
        try (RawRedis direct = redis.connect()) {
            RawRedis client = client();
            client.command("PING");
            client.close();
            await().until(() -> direct.clients().size() == 1);
        }
        try (RawRedis client = client()) {
            client.command("PING");
            redis.kill();
            assertThatThrownBy(() -> client.command("PING")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> {
                        try (RawRedis next = client()) {
                            next.command("PING");
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class);
            redis.restart();
            try (RawRedis next = client()) {
                assertThat(next.command("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void waitingInVainSaysWhatWasFound() {
        assertThatThrownBy(() -> proxy.await(links -> false, SHORT))
                .hasMessage("not met within 100 ms: connections [], " + proxy.traffic());
    }

    @Test
    void closingEndsTheThreadThePortAndTheConnections() {
        RawRedis client = client();
        client.command("PING");
        proxy.close();
        proxy.close();
        assertThatThrownBy(() -> client.command("PING")).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(this::client).hasMessageContaining("Connection refused");
        assertThatThrownBy(proxy::swallowReplies).hasMessageContaining("is closed");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("holdfast-fault-proxy-" + proxy.port());
        client.close();
    }

    private RawRedis client() {
        return RawRedis.connect(proxy.host(), proxy.port());
    }

    private static void assertUnanswered(RawRedis client) {
        client.timeout(SHORT);
        assertThatThrownBy(client::receive).hasCauseInstanceOf(SocketTimeoutException.class);
        client.timeout(Duration.ofSeconds(5));
    }

    private static void assertCut(RawRedis client) {
        assertThatThrownBy(client::receive).hasCauseInstanceOf(SocketException.class);
    }
}
