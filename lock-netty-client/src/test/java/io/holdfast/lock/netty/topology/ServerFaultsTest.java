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
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What real servers refuse reaches the call by its right name, and the connection goes on. */
class ServerFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Script HASH = new Script("hash", "return redis.call('HSET', KEYS[1], 'field', ARGV[1])");
    private static final Script FREE = new Script("free", "return redis.call('DEL', KEYS[1])");
    private static final Script SPIN = new Script("spin", "while true do end");

    @Test
    void outOfMemory() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            node.send(HASH, "key", "value", PATIENCE).await();
            raw.command("CONFIG", "SET", "maxmemory", "100kb");
            raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            assertThat(node.send(HASH, "other", "value", PATIENCE).fault().kind())
                    .isEqualTo(Kind.OOM);
            assertThat(node.send(FREE, "key", "", PATIENCE).await()).isEqualTo("1");
        }
    }

    @Test
    void wrongType() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            raw.command("SET", "key", "a string");
            Fault fault = node.send(HASH, "key", "value", PATIENCE).fault();
            assertThat(fault.kind()).isEqualTo(Kind.WRONGTYPE);
            assertThat(fault.detail()).contains("WRONGTYPE").endsWith("(key is a string)");
            assertThat(fault.maybeApplied()).isFalse();
            assertThat(fault.node()).isEqualTo("127.0.0.1:" + server.port());
            assertThat(node.echo("after").await()).isEqualTo("after");
        }
    }

    @Test
    void aLongScript() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect();
                RawRedis busy = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            assertThat(node.echo("before").await()).isEqualTo("before");
            raw.command("CONFIG", "SET", "lua-time-limit", "50");
            busy.send("EVAL", SPIN.source(), "0");
            await().until(() -> node.echo("meanwhile").await() instanceof Fault fault && fault.kind() == Kind.BUSY);
            raw.command("SCRIPT", "KILL");
            await().until(() -> node.echo("after").await().equals("after"));
            assertThat(node.news).hasSize(1);
        }
    }

    @Test
    void aReplicaIsLookedUpAgain() {
        try (RedisServer server = RedisServer.start();
                RedisServer master = RedisServer.start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            node.send(HASH, "key", "value", PATIENCE).await();
            raw.command("REPLICAOF", "127.0.0.1", String.valueOf(master.port()));
            Fault fault = node.send(HASH, "key", "value", PATIENCE).fault();
            assertThat(fault.kind()).isEqualTo(Kind.READONLY);
            assertThat(fault.maybeApplied()).isFalse();
            await().untilAsserted(() -> assertThat(node.news).contains("down READONLY"));

            raw.command("REPLICAOF", "NO", "ONE");
            await().until(() -> node.send(HASH, "key", "v", PATIENCE).await() instanceof String);
            assertThat(node.news.get(node.news.size() - 1)).startsWith("up ");
        }
    }

    @Test
    void tooFewReplicas() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            raw.command("CONFIG", "SET", "min-replicas-to-write", "1");
            assertThat(node.send(HASH, "key", "value", PATIENCE).fault().kind()).isEqualTo(Kind.NOREPLICAS);
        }
    }

    @Test
    void loading() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            assertThat(node.echo("before").await()).isEqualTo("before");
            raw.command("DEBUG", "POPULATE", "20000", "filler", "1000");
            raw.command("CONFIG", "SET", "rdbcompression", "no");
            raw.command("CONFIG", "SET", "key-load-delay", "100");
            if (server.version().isAtLeast(7, 0)) {
                raw.command("CONFIG", "SET", "loading-process-events-interval-bytes", "1024");
            }
            raw.send("DEBUG", "RELOAD");
            await().until(() -> node.echo("meanwhile").await() instanceof Fault fault && fault.kind() == Kind.LOADING);
            server.kill();
        }
    }

    @Test
    void aRevokedRight() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect()) {
            raw.command("ACL", "SETUSER", "ann", "on", ">secret", "~mine:*", "allchannels", "+@all");
            try (TestNode node = TestNode.connect("redis://ann:secret@127.0.0.1:" + server.port())) {
                assertThat(node.send(HASH, "mine:1", "value", PATIENCE).await()).isEqualTo("1");
                assertThat(node.send(HASH, "yours:1", "value", PATIENCE).fault().kind())
                        .isEqualTo(Kind.NOPERM);
                raw.command("ACL", "SETUSER", "ann", "-hset");
                assertThat(node.send(HASH, "mine:1", "value", PATIENCE).fault().kind())
                        .isEqualTo(Kind.NOPERM);
                assertThat(node.echo("hello").await()).isInstanceOf(Fault.class);
            }
        }
    }

    @Test
    void aDeletedUser() {
        try (RedisServer server = RedisServer.start();
                RawRedis raw = server.connect()) {
            raw.command("ACL", "SETUSER", "ann", "on", ">secret", "allkeys", "allchannels", "+@all");
            try (TestNode node = TestNode.connect("redis://ann:secret@127.0.0.1:" + server.port())) {
                assertThat(node.echo("before").await()).isEqualTo("before");
                raw.command("ACL", "DELUSER", "ann");
                await().until(() -> node.news.size() > 1);
                await().until(() ->
                        node.echo("after").await() instanceof Fault fault && fault.kind() == Kind.WRONGPASS);
            }
        }
    }

    @Test
    void aServerThatCannotPersist() {
        try (RedisServer server =
                        RedisServer.builder().option("dbfilename", "dump.rdb").start();
                RawRedis raw = server.connect();
                TestNode node = TestNode.connect(server.url())) {
            raw.command("CONFIG", "SET", "save", "1000 1000");
            raw.command("CONFIG", "SET", "stop-writes-on-bgsave-error", "yes");
            assertThat(server.directory().resolve("dump.rdb").toFile().mkdir()).isTrue();
            raw.command("SET", "key", "value");
            raw.command("BGSAVE");
            await().until(() ->
                    raw.info("persistence").get("rdb_last_bgsave_status").equals("err"));
            Probe probe = node.send(HASH, "hash", "value", PATIENCE);
            assertThat(probe.fault().kind()).isEqualTo(Kind.MISCONF);
        }
    }
}
