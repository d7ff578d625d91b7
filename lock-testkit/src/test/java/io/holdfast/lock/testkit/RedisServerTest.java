package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a server does for tests, whatever its source; the local sources run everywhere. */
class RedisServerTest {
    @Test
    void answersWhenStartedAndLeavesNothingWhenClosed() {
        Path directory;
        long pid;
        try (RedisServer redis =
                RedisServer.builder().source(RedisSource.EMBEDDED).start()) {
            directory = redis.directory();
            pid = redis.pid();
            try (RawRedis raw = redis.connect()) {
                assertThat(raw.text("PING")).isEqualTo("PONG");
                assertThat(raw.info("server")).containsEntry("tcp_port", String.valueOf(redis.port()));
            }
            assertThat(redis.url()).isEqualTo("redis://127.0.0.1:" + redis.port());
            assertThat(redis.isAlive()).isTrue();
        }
        assertThat(directory).doesNotExist();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void aPausedServerKeepsItsConnectionsAndAnswersAfterResume() {
        try (RedisServer redis = RedisServer.start();
                RawRedis raw = redis.connect()) {
            redis.pause();
            raw.send("SET", "a", "1");
            raw.timeout(Duration.ofMillis(100));
            assertThatThrownBy(raw::receive)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasCauseInstanceOf(SocketTimeoutException.class);
            assertThat(redis.isAlive()).isTrue();

            redis.resume();
            raw.timeout(Duration.ofSeconds(5));
            assertThat(raw.receive()).isEqualTo("OK");
        }
    }

    @Test
    void aCrashWithoutPersistenceForgetsEverythingAndKeepsThePort() {
        try (RedisServer redis = RedisServer.start()) {
            int port = redis.port();
            write(redis, "a");
            redis.kill();
            assertThat(redis.isAlive()).isFalse();
            assertThatThrownBy(redis::connect).hasMessageContaining("can't connect to 127.0.0.1:" + port);

            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(keys(redis)).isZero();
        }
    }

    @Test
    void aCrashWithAnAppendOnlyFileForgetsNothing() {
        try (RedisServer redis = RedisServer.builder().aof(true).start()) {
            write(redis, "a");
            redis.kill();
            redis.restart();
            assertThat(keys(redis)).isEqualTo(1);
            redis.stop();
            redis.restart();
            assertThat(keys(redis)).isEqualTo(1);
        }
    }

    @Test
    void aPowerLossForgetsTheLastWrites() {
        try (RedisServer redis =
                RedisServer.builder().source(RedisSource.EMBEDDED).aof(true).start()) {
            write(redis, "first");
            write(redis, "second");
            redis.kill();
            redis.cutAof(1);
            redis.restart();
            assertThat(keys(redis)).isEqualTo(1);
        }
    }

    @Test
    void cuttingTheFileOfARunningServerIsRefused() {
        try (RedisServer redis = RedisServer.builder().aof(true).start()) {
            assertThatThrownBy(() -> redis.cutAof(1)).hasMessageContaining("kill it first");
        }
    }

    @Test
    void aPausedServerCanBeKilledStoppedAndClosed() {
        try (RedisServer redis = RedisServer.start()) {
            redis.pause();
            redis.kill();
            redis.restart();
            redis.pause();
            redis.stop();
            redis.restart();
            redis.pause();
        }
    }

    @Test
    void optionsReachTheServerWhateverCharactersTheyHave() {
        String password = "a \"quoted\" \\ secret";
        try (RedisServer redis = RedisServer.builder()
                        .option("requirepass", password)
                        .option("maxmemory", "20mb")
                        .option("client-output-buffer-limit", "pubsub", "32mb", "8mb", "60")
                        .start();
                RawRedis raw = redis.connect()) {
            assertThat(raw.map("CONFIG", "GET", "maxmemory")).containsEntry("maxmemory", "20971520");
            try (RawRedis stranger = RawRedis.connect(redis.host(), redis.port())) {
                assertThatThrownBy(() -> stranger.command("PING"))
                        .isInstanceOfSatisfying(
                                RedisErrorReply.class, e -> assertThat(e.code()).isEqualTo("NOAUTH"));
            }
        }
    }

    @Test
    void debugWorksOnEveryVersion() {
        try (RedisServer redis = RedisServer.start();
                RawRedis raw = redis.connect()) {
            assertThat(raw.command("DEBUG", "SLEEP", "0")).isEqualTo("OK");
        }
    }

    @Test
    void aWrongOptionFailsAtOnceAndShowsTheLog() {
        assertThatThrownBy(() ->
                        RedisServer.builder().option("no-such-option", "1").start())
                .hasMessageContaining("ended before it answered")
                .hasMessageContaining("no-such-option");
    }

    @Test
    void optionsThatBelongToTheKitAreRefused() {
        assertThatThrownBy(() -> RedisServer.builder().option("port", "6379"))
                .hasMessage("option port: set by the test kit itself");
        assertThatThrownBy(() -> RedisServer.builder().option("maxmemory"))
                .hasMessage("option maxmemory: no value (expected: at least one word)");
        assertThatThrownBy(() -> RedisServer.builder().port(70_000)).hasMessage("port: 70000 (expected: 0 to 65535)");
    }

    @Test
    void aChosenPortThatIsTakenIsAnErrorAndNotAnotherServer() {
        try (RedisServer redis = RedisServer.start()) {
            assertThatThrownBy(() -> RedisServer.builder().port(redis.port()).start())
                    .hasMessageContaining("port " + redis.port() + " is taken");
            assertThat(redis.isAlive()).isTrue();
        }
    }

    @Test
    void operationsOnADeadOrClosedServerSaySo() {
        RedisServer redis = RedisServer.start();
        redis.kill();
        assertThatThrownBy(redis::pause).hasMessageContaining("no process runs, so there is nothing to pause");
        redis.close();
        redis.close();
        assertThatThrownBy(redis::restart).hasMessageContaining("closed, so it can't be restarted");
    }

    @Test
    void aServerThatEndsByItselfIsNoticed() {
        try (RedisServer redis = RedisServer.start();
                RawRedis raw = redis.connect()) {
            raw.send("SHUTDOWN", "NOSAVE");
            await().until(() -> !redis.isAlive());
            redis.restart();
            assertThat(keys(redis)).isZero();
        }
    }

    @Test
    void resetMakesAServerAsGoodAsNew() {
        try (RedisServer redis = RedisServer.start();
                RawRedis raw = redis.connect()) {
            write(redis, "a");
            raw.command("CONFIG", "SET", "maxmemory", "1mb");
            raw.command("CONFIG", "SET", "min-replicas-to-write", "3");
            raw.command("ACL", "SETUSER", "guest", "on", "nopass", "+@all");
            String sha = raw.text("SCRIPT", "LOAD", "return 1");
            raw.command("CLIENT", "PAUSE", "60000", "WRITE");
            redis.pause();

            redis.reset();

            assertThat(keys(redis)).isZero();
            assertThat(raw.map("CONFIG", "GET", "maxmemory")).containsEntry("maxmemory", "0");
            assertThat(raw.map("CONFIG", "GET", "min-replicas-to-write")).containsEntry("min-replicas-to-write", "0");
            assertThat(raw.list("ACL", "USERS")).containsExactly("default");
            assertThat(raw.list("SCRIPT", "EXISTS", sha)).containsExactly("0");
            assertThat(raw.text("SET", "b", "1")).isEqualTo("OK");
        }
    }

    @Test
    void resetRevivesAServerThatIsDeadOrLocksUsOut() {
        try (RedisServer redis = RedisServer.start()) {
            redis.kill();
            redis.reset();
            try (RawRedis raw = redis.connect()) {
                raw.command("CONFIG", "SET", "requirepass", "changed");
            }
            redis.reset();
            assertThat(keys(redis)).isZero();
        }
    }

    @Test
    void severalServersAreIndependent() {
        try (RedisServers nodes = RedisServers.start(3)) {
            write(nodes.get(0), "a");
            assertThat(nodes).extracting(RedisServerTest::keys).containsExactly(1L, 0L, 0L);
            assertThat(nodes.urls()).doesNotHaveDuplicates().hasSize(3);
            nodes.get(1).kill();
            assertThat(nodes).extracting(RedisServer::isAlive).containsExactly(true, false, true);
        }
    }

    private static void write(RedisServer redis, String key) {
        try (RawRedis raw = redis.connect()) {
            raw.command("SET", key, "1");
        }
    }

    private static long keys(RedisServer redis) {
        try (RawRedis raw = redis.connect()) {
            return raw.integer("DBSIZE");
        }
    }
}
