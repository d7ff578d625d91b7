package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@RedisTest
class ScriptLoadingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Script COUNT = new Script("count", "redis.call('INCR', KEYS[1]) return ARGV[1]");

    /** Else it would meet NOSCRIPT and be written again, behind what was sent after it. */
    @Test
    void aScriptIsLoadedAheadOfItsFirstUse(RedisServer server, RawRedis raw) {
        raw.command("SCRIPT", "FLUSH");
        try (TestNode node = TestNode.connect(server.url())) {
            raw.command("CONFIG", "RESETSTAT");
            Probe first = node.echo("first");
            assertThat(first.await()).isEqualTo("first");
            assertThat(first.encoded).hasValue(1);
            assertThat(raw.calls("evalsha")).isEqualTo(1);
        }
    }

    @Test
    void aPipelineOfUnknownScriptsIsLoadedOnce(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            raw.command("SCRIPT", "FLUSH");
            raw.command("CONFIG", "RESETSTAT");
            server.pause();
            List<Probe> probes = IntStream.range(0, 1_000)
                    .mapToObj(i -> node.send(COUNT, "counter", "call " + i, PATIENCE))
                    .toList();
            server.resume();
            for (int i = 0; i < probes.size(); i++) {
                assertThat(probes.get(i).await()).isEqualTo("call " + i);
                assertThat(probes.get(i).answers).hasValue(1);
            }
            assertThat(raw.command("GET", "counter")).isEqualTo("1000");
            assertThat(loads(raw)).isEqualTo(1);
        }
    }

    @Test
    void aFlushInTheMiddleCostsOneLoad(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            assertThat(node.echo("first").await()).isEqualTo("first");
            raw.command("SCRIPT", "FLUSH");
            raw.command("CONFIG", "RESETSTAT");
            assertThat(node.echo("second").await()).isEqualTo("second");
            assertThat(node.echo("third").await()).isEqualTo("third");
            assertThat(loads(raw)).isEqualTo(1);
        }
    }

    @Test
    void eachScriptIsLoadedForItself(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(server.url())) {
            raw.command("SCRIPT", "FLUSH");
            raw.command("CONFIG", "RESETSTAT");
            Probe echo = node.echo("echo");
            Probe count = node.send(COUNT, "counter", "count", PATIENCE);
            assertThat(echo.await()).isEqualTo("echo");
            assertThat(count.await()).isEqualTo("count");
            assertThat(loads(raw)).isEqualTo(2);
        }
    }

    @Test
    void anOverdueCallIsNotSentAgain(RedisServer server, RawRedis raw) {
        try (TestNode node = TestNode.connect(TestNode.settings(server.url(), Duration.ofSeconds(20), 1_000))) {
            assertThat(node.send(COUNT, "counter", "known", PATIENCE).await()).isEqualTo("known");
            raw.command("SCRIPT", "FLUSH");
            raw.command("DEL", "counter");
            server.pause();
            Probe probe = node.send(COUNT, "counter", "late", Duration.ofMillis(50));
            org.awaitility.Awaitility.await().until(() -> probe.overdue.get() == 1);
            server.resume();
            assertThat(probe.fault().kind()).isEqualTo(Kind.SCRIPT_MISSING);
            assertThat(probe.fault().maybeApplied()).isFalse();
            assertThat(probe.encoded).hasValue(1);
            assertThat(raw.command("GET", "counter")).isNull();
        }
    }

    @Test
    void aUserWhoMayNotLoadSendsTheSource(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "ann", "on", ">secret", "allkeys", "allchannels", "+@all", "-script");
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect("redis://ann:secret@127.0.0.1:" + server.port())) {
            raw.command("SCRIPT", "FLUSH");
            List<Probe> probes = IntStream.range(0, 100)
                    .mapToObj(i -> node.send(COUNT, "counter", "call " + i, PATIENCE))
                    .toList();
            for (int i = 0; i < probes.size(); i++) {
                assertThat(probes.get(i).await()).isEqualTo("call " + i);
            }
            assertThat(raw.command("GET", "counter")).isEqualTo("100");

            raw.command("SCRIPT", "FLUSH");
            assertThat(node.echo("again").await()).isEqualTo("again");
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("SCRIPT LOAD"))
                    .hasSize(1);
        }
    }

    @Test
    void aServerWithoutScriptIsSentTheSource() {
        try (RedisServer server = RedisServer.builder()
                        .option("rename-command", "SCRIPT", "\"\"")
                        .start();
                Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url())) {
            for (int i = 0; i < 20; i++) {
                Script script = new Script("script " + i, "return ARGV[1] --" + i);
                assertThat(node.send(script, "key", "call " + i, PATIENCE).await())
                        .isEqualTo("call " + i);
            }
            assertThat(logs.ours(Level.WARN)).singleElement().asString().contains("SCRIPT LOAD", "EVAL");
        }
    }

    @Test
    void aUserWhoMayNotRunScriptsAtAllIsTold(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "ann", "on", ">secret", "allkeys", "allchannels", "+@all", "-@scripting");
        try (TestNode node = TestNode.lazy(TestNode.settings("redis://ann:secret@127.0.0.1:" + server.port()))) {
            assertThat(node.echo("hello").fault().kind()).isEqualTo(Kind.NOPERM);
        }
    }

    /** Redis 7 counts SCRIPT LOAD for itself; 6.2 counts all of SCRIPT, which here is the same. */
    private static long loads(RawRedis raw) {
        return raw.calls("script|load") + raw.calls("script");
    }
}
