package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a proxy does to whole messages. */
@RedisTest
class FrameRuleTest {
    private static final String SET = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n";

    RedisServer redis;
    private FaultProxy proxy;
    private RawRedis client;
    private RawRedis direct;

    @BeforeEach
    void connect() {
        proxy = FaultProxy.to(redis);
        client = RawRedis.connect(proxy.host(), proxy.port());
        direct = redis.connect();
        client.command("PING");
    }

    @AfterEach
    void close() {
        client.close();
        direct.close();
        proxy.close();
    }

    @Test
    void everyMessageIsJudgedOnceAndWhole() {
        List<String> requests = Collections.synchronizedList(new ArrayList<>());
        List<String> replies = Collections.synchronizedList(new ArrayList<>());
        proxy.onRequest(frame -> {
            requests.add(frame.text());
            return FrameFate.PASS;
        });
        proxy.onReply(frame -> {
            replies.add(frame.connection() + frame.text());
            return FrameFate.PASS;
        });
        client.send("SET", "a", "1");
        client.send("GET", "a");
        assertThat(client.receive()).isEqualTo("OK");
        assertThat(client.receive()).isEqualTo("1");
        assertThat(requests).containsExactly(SET, "*2\r\n$3\r\nGET\r\n$1\r\na\r\n");
        assertThat(replies).containsExactly("1+OK\r\n", "1$1\r\n1\r\n");

        proxy.heal();
        assertThat(client.command("GET", "a")).isEqualTo("1");
        assertThat(requests).hasSize(2);
    }

    @Test
    void aRequestCanArriveTwiceUnnoticed() {
        proxy.onRequest(frame -> frame.contains("INCR") ? FrameFate.TWICE : FrameFate.PASS);
        for (int i = 1; i <= 20; i++) {
            client.send("INCR", "a");
            client.send("ECHO", "text " + i);
        }
        for (int i = 1; i <= 20; i++) {
            assertThat(client.receive()).isEqualTo(2L * i - 1);
            assertThat(client.receive()).isEqualTo("text " + i);
        }
        assertThat(client.command("GET", "a")).isEqualTo("40");
    }

    @Test
    void aMessageAndAllBehindItCanBeLate() {
        proxy.onReply(frame -> frame.contains("slow") ? FrameFate.delayed(Duration.ofMillis(80)) : FrameFate.PASS);
        long startNanos = System.nanoTime();
        client.command("ECHO", "quick");
        client.send("ECHO", "slow");
        client.send("ECHO", "behind");
        assertThat(client.receive()).isEqualTo("slow");
        assertThat(client.receive()).isEqualTo("behind");
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThan(Duration.ofMillis(79));
    }

    /** The server never executes a part of a request, and does execute the whole. */
    @Tag("proof")
    @Test
    void aRequestCanBeCutAtEveryByte() {
        for (int bytes = 0; bytes <= SET.length(); bytes++) {
            int arriving = bytes;
            direct.command("DEL", "a");
            proxy.onRequest(frame -> frame.text().equals(SET) ? FrameFate.cutAfter(arriving) : FrameFate.PASS);
            try (RawRedis next = RawRedis.connect(proxy.host(), proxy.port())) {
                next.command("PING");
                next.send("SET", "a", "1");
                assertThatThrownBy(next::receive).isInstanceOf(UncheckedIOException.class);
            }
            boolean whole = arriving == SET.length();
            await().until(() -> direct.integer("EXISTS", "a") == (whole ? 1 : 0));
        }
    }

    @Test
    void aReplyCanBeCut() {
        proxy.onReply(frame -> frame.contains("text") ? FrameFate.cutAfter(4) : FrameFate.PASS);
        assertThatThrownBy(() -> client.command("ECHO", "text")).hasMessageContaining("no reply");
        assertThat(proxy.connections()).isEmpty();
    }

    @Test
    void everythingFromOneReplyOnCanBeLost() {
        proxy.onReply(frame -> frame.contains("last") ? FrameFate.SWALLOW : FrameFate.PASS);
        client.send("ECHO", "first");
        client.send("ECHO", "last");
        client.send("ECHO", "more");
        assertThat(client.receive()).isEqualTo("first");
        client.timeout(Duration.ofMillis(100));
        assertThatThrownBy(client::receive).hasCauseInstanceOf(SocketTimeoutException.class);
        await().until(() -> proxy.traffic().repliesSwallowed() == "$4\r\nlast\r\n$4\r\nmore\r\n".length());
        proxy.heal();
        assertThat(proxy.connections()).isEmpty();
    }

    @Test
    void aPushedMessageCanBeLostAlone() {
        client.command("HELLO", "3");
        client.send("SUBSCRIBE", "c");
        client.receive();
        proxy.onReply(frame -> frame.isPush() && frame.contains("lost") ? FrameFate.DROP : FrameFate.PASS);
        direct.command("PUBLISH", "c", "one");
        direct.command("PUBLISH", "c", "lost");
        direct.command("PUBLISH", "c", "two");
        assertThat(client.receive()).isEqualTo(List.of("message", "c", "one"));
        assertThat(client.receive()).isEqualTo(List.of("message", "c", "two"));
    }

    /** A message that is half through when a rule is set stays whole. */
    @Test
    void aRuleCanBeSetInTheMiddleOfAMessage() {
        client.sendBytes("*2\r\n$4\r\nEC".getBytes());
        proxy.awaitTraffic(traffic -> traffic.requestsForwarded() >= "*1\r\n$4\r\nPING\r\n*2\r\n$4\r\nEC".length());
        List<String> judged = Collections.synchronizedList(new ArrayList<>());
        proxy.onRequest(frame -> {
            judged.add(frame.text());
            return FrameFate.PASS;
        });
        client.sendBytes("HO\r\n$1\r\na\r\n*1\r\n$4\r\nPI".getBytes());
        assertThat(client.receive()).isEqualTo("a");
        proxy.heal();
        client.sendBytes("NG\r\n".getBytes());
        assertThat(client.receive()).isEqualTo("PONG");
        assertThat(judged).isEmpty();
    }

    @Test
    void delaysAndCutsMustNotBeNegative() {
        assertThatThrownBy(() -> FrameFate.delayed(Duration.ofMillis(-1))).hasMessageContaining("expected: >= 0");
        assertThatThrownBy(() -> FrameFate.cutAfter(-1)).hasMessageContaining("expected: >= 0");
    }
}
