package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer over the limits ends its own call, and the connection goes on. */
@RedisTest
class LongAnswerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private TestNode node;

    @BeforeEach
    void connect(RedisServer redis) {
        node = TestNode.connect(redis.url());
        await().until(() -> node.news.size() == 1);
    }

    @AfterEach
    void close() {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return string.rep('x', 9437184)",
                "return {1, string.rep('x', 9437184), 2}",
                "local part = string.rep('x', 7340032) return {part, part, part}",
            })
    void endsItsOwnCallOnly(String source) {
        Probe before = node.echo("before");
        Probe tooLong = node.send(new Script("long", source), "key", "", PATIENCE);
        Probe after = node.echo("after");

        Fault fault = tooLong.fault();
        assertThat(fault.kind()).isEqualTo(Kind.ANSWER_TOO_LONG);
        assertThat(fault.maybeApplied()).isTrue();
        assertThat(before.await()).isEqualTo("before");
        assertThat(after.await()).isEqualTo("after");
        assertThat(node.news).hasSize(1);
    }

    @Tag("proof")
    @Test
    void anErrorOfAnyLengthEndsItsOwnCallOnly() {
        Script script = new Script("complain", "return redis.error_reply('MYERR ' .. string.rep('x', 1048576))");
        Fault fault = node.send(script, "key", "", PATIENCE).fault();
        assertThat(fault.kind()).isEqualTo(Kind.SERVER_ERROR);
        assertThat(fault.detail()).startsWith("MYERR xxx").hasSizeLessThan(400);
        assertThat(node.echo("after").await()).isEqualTo("after");
        assertThat(node.news).hasSize(1);
    }

    @Test
    void aMessageOfAnyLengthLeavesTheSubscriptions(RawRedis raw) {
        List<String> heard = new CopyOnWriteArrayList<>();
        node.subscribe("news", Recorder.into(heard));
        await().until(() -> heard.contains("ready"));
        raw.command("PUBLISH", "news", "x".repeat(9 << 20));
        raw.command("PUBLISH", "news", "short");
        await().until(() -> heard.stream().anyMatch(news -> news.contains("short")));
        assertThat(heard.stream().filter(news -> news.equals("ready"))).hasSize(1);
    }
}
