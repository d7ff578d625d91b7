package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.netty.address.NameService;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A host name that stands for several addresses. */
@RedisTest
class SeveralAddressesTest {

    private static final InetAddress ONE = address(127, 0, 0, 1);
    private static final InetAddress OTHER = address(127, 0, 0, 2);

    @Test
    void anAddressThatSwallowsPacketsIsPassedBy(RedisServer server, RawRedis raw) throws IOException {
        long receivedBefore = received(raw);
        try (SwallowingAddress swallowing = SwallowingAddress.at(OTHER, server.port());
                TestNode node = connect(server.port(), host -> List.of(OTHER, ONE))) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            assertThat(ours(raw)).isEqualTo(2);

            raw.command("CLIENT", "KILL", "TYPE", "normal");
            raw.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().until(() -> node.news.size() == 3 && news.size() == 2);
            assertThat(node.echo("again").await()).isEqualTo("again");
            assertThat(ours(raw)).isEqualTo(2);

            node.close();
            await().until(() -> ours(raw) == 0);
            assertThat(received(raw) - receivedBefore).isEqualTo(4);
        }
    }

    @Test
    void anAddressThatAcceptsAndIsSilentIsPassedBy(RedisServer server, RawRedis raw) throws IOException {
        try (ServerSocket silent = new ServerSocket(server.port(), 10, OTHER);
                TestNode node = connect(server.port(), host -> List.of(OTHER, ONE))) {
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            assertThat(ours(raw)).isEqualTo(1);
            assertThat(silent.isBound()).isTrue();
        }
    }

    @Test
    void messagesComeFromTheAddressThatTheCommandsGoTo() throws IOException {
        AtomicInteger lookups = new AtomicInteger();
        List<String> heard = new CopyOnWriteArrayList<>();
        try (FakeServer one = FakeServer.start(ONE, 0, answers("one", heard, new AtomicBoolean()));
                FakeServer other = FakeServer.start(OTHER, one.port(), answers("other", heard, new AtomicBoolean()));
                TestNode node = connect(
                        other.port(),
                        host -> lookups.getAndIncrement() % 2 == 0 ? List.of(ONE, OTHER) : List.of(OTHER, ONE))) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));
            assertThat(node.echo("x").await()).isEqualTo("one");
            assertThat(heard).containsExactly("SUBSCRIBE one");
        }
    }

    @Test
    void messagesFollowTheCommandsToAnotherAddress() throws IOException {
        AtomicBoolean oneIsBroken = new AtomicBoolean();
        List<String> heard = new CopyOnWriteArrayList<>();
        try (FakeServer one = FakeServer.start(ONE, 0, answers("one", heard, oneIsBroken));
                FakeServer other = FakeServer.start(OTHER, one.port(), answers("other", heard, new AtomicBoolean()));
                TestNode node = connect(other.port(), host -> List.of(oneIsBroken.get() ? OTHER : ONE))) {
            List<String> news = new CopyOnWriteArrayList<>();
            node.subscribe("news", Recorder.into(news));
            await().until(() -> news.contains("ready"));

            oneIsBroken.set(true);
            assertThat(node.echo("x").fault().maybeApplied()).isTrue();
            await().until(() -> news.size() == 2);
            assertThat(node.echo("x").await()).isEqualTo("other");
            assertThat(heard).containsExactly("SUBSCRIBE one", "SUBSCRIBE other");
        }
    }

    private static TestNode connect(int port, NameService names) {
        return TestNode.connect(TestNode.settings("redis://redis.example:" + port, names));
    }

    /** A server that tells its name, or answers scripts with nonsense while it is broken. */
    private static Function<List<String>, String> answers(String name, List<String> heard, AtomicBoolean broken) {
        return command -> {
            if (broken.get() && command.get(0).equals("EVALSHA")) {
                return "nonsense\r\n";
            }
            if (command.get(0).equals("SUBSCRIBE")) {
                heard.add("SUBSCRIBE " + name);
                return ">3\r\n+subscribe\r\n+" + command.get(1) + "\r\n:1\r\n";
            }
            return FakeServer.answerTo(command, "+" + name + "\r\n");
        };
    }

    private static long ours(RawRedis raw) {
        return raw.clients().stream()
                .filter(client -> "test".equals(client.get("name")))
                .count();
    }

    private static long received(RawRedis raw) {
        return Long.parseLong(raw.info("stats").get("total_connections_received"));
    }

    private static InetAddress address(int... bytes) {
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            address[i] = (byte) bytes[i];
        }
        try {
            return InetAddress.getByAddress(address);
        } catch (java.net.UnknownHostException wrongLength) {
            throw new IllegalArgumentException(wrongLength);
        }
    }
}
