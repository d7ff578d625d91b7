package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("proof")
class RedisSourceTest {
    @TempDir
    Path empty;

    @ParameterizedTest
    @EnumSource
    void aForcedSourceGivesAServerThatCanBeHurt(RedisSource source) {
        assumePresent(source);
        try (RedisServer redis = RedisServer.builder()
                .source(source)
                .aof(true)
                .option("maxmemory", "20mb")
                .start()) {
            assertThat(redis.source()).isEqualTo(source);
            assertThat(redis.version().isSupported()).isTrue();
            int port = redis.port();

            try (RawRedis raw = redis.connect()) {
                assertThat(raw.info("server"))
                        .containsEntry("redis_version", redis.version().toString());
                assertThat(raw.command("DEBUG", "SLEEP", "0")).isEqualTo("OK");
                assertThat(raw.map("CONFIG", "GET", "maxmemory")).containsEntry("maxmemory", "20971520");

                redis.pause();
                raw.timeout(Duration.ofMillis(200));
                raw.send("SET", "a", "1");
                assertThatThrownBy(raw::receive).isInstanceOf(UncheckedIOException.class);
                assertThat(redis.isAlive()).isTrue();
                redis.resume();
                raw.timeout(Duration.ofSeconds(5));
                assertThat(raw.receive()).isEqualTo("OK");
            }

            redis.kill();
            assertThat(redis.isAlive()).isFalse();
            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            redis.stop();
            redis.restart();
            try (RawRedis raw = redis.connect()) {
                assertThat(raw.command("GET", "a")).isEqualTo("1");
            }

            redis.pause();
            redis.reset();
            try (RawRedis raw = redis.connect()) {
                assertThat(raw.command("GET", "a")).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTakenPortIsToldApart(RedisSource source) {
        assumePresent(source);
        try (RedisServer redis = RedisServer.builder().source(source).start()) {
            assertThatThrownBy(() -> RedisServer.builder()
                            .source(source)
                            .port(redis.port())
                            .start())
                    .isInstanceOf(PortTakenException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongOptionShowsTheLog(RedisSource source) {
        assumePresent(source);
        assertThatThrownBy(() -> RedisServer.builder()
                        .source(source)
                        .option("no-such-option", "1")
                        .start())
                .hasMessageContaining("ended before it answered")
                .hasMessageContaining("no-such-option");
    }

    @Test
    void anImageThatCanNotBeHadIsAReason() throws IOException {
        ContainerEngine.assumePresent();
        assertThat(found(entry -> true, "-Dholdfast.redis=docker", "-Dholdfast.redis.image=localhost:1/no/such:image"))
                .contains("docker: the image localhost:1/no/such:image can't be used: ");
    }

    @Test
    void withoutTestcontainersTheContainerSourceIsPassedOver() throws IOException {
        assertThat(found(RedisSourceTest::isNotTestcontainers)).isEqualTo("embedded true");
        assertThat(found(RedisSourceTest::isNotTestcontainers, "-Dholdfast.redis=docker"))
                .startsWith("no Redis or Valkey server can be started from the forced source. Tried:")
                .contains("docker: Testcontainers is not on the class path");
    }

    @Test
    void withNoSourceLeftEveryReasonIsTold() throws IOException {
        assertThat(found(entry -> isNotTestcontainers(entry) && !entry.contains("embedded-redis")))
                .isEqualTo("no Redis or Valkey server can be started. Tried:\n"
                        + "  path: neither redis-server nor valkey-server is on the PATH (" + empty + ")\n"
                        + "  docker: Testcontainers is not on the class path (add org.testcontainers:testcontainers)\n"
                        + "  embedded: the jar org.signal:embedded-redis is not on the class path\n"
                        + "  oldest: the jar com.github.codemonstur:embedded-redis is not on the class path");
    }

    @Test
    void thePropertyForcesASource() throws IOException {
        assertThat(found(entry -> true, "-Dholdfast.redis=Embedded")).isEqualTo("embedded true");
        assertThat(found(entry -> true, "-Dholdfast.redis=path"))
                .isEqualTo("no Redis or Valkey server can be started from the forced source. Tried:\n"
                        + "  path: neither redis-server nor valkey-server is on the PATH (" + empty + ")");
        assertThat(found(entry -> true, "-Dholdfast.redis=cloud"))
                .isEqualTo("-Dholdfast.redis=cloud: expected one of [path, docker, embedded, oldest]");
    }

    @Test
    void aPortThatSomebodyElseTookMeanwhileIsReplaced() throws Exception {
        Installation real = EmbeddedBinary.installation(RedisSource.EMBEDDED);
        List<ServerSocket> somebodyElse = new ArrayList<>();
        Installation unlucky = new Installation() {
            @Override
            public RedisSource source() {
                return real.source();
            }

            @Override
            public RedisVersion version() {
                return real.version();
            }

            @Override
            public ServerProcess prepare(ServerConfig config) {
                if (somebodyElse.size() < 2) {
                    somebodyElse.add(listen(config.port()));
                }
                return real.prepare(config);
            }
        };
        ServerConfig config =
                new ServerConfig(ServerMode.STANDALONE, 0, 0, null, false, List.of(), Duration.ofSeconds(20));
        try (RedisServer redis = RedisServer.start(unlucky, config)) {
            assertThat(somebodyElse)
                    .extracting(ServerSocket::getLocalPort)
                    .hasSize(2)
                    .doesNotContain(redis.port());
        } finally {
            for (ServerSocket socket : somebodyElse) {
                socket.close();
            }
        }
    }

    private static ServerSocket listen(int port) {
        try {
            return new ServerSocket(port, 1, FreePorts.address());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void serversCanBeStartedSideBySide() {
        List<RedisServer> started = IntStream.range(0, 6)
                .parallel()
                .mapToObj(
                        i -> RedisServer.builder().source(RedisSource.EMBEDDED).start())
                .toList();
        assertThat(started).extracting(RedisServer::port).doesNotHaveDuplicates();
        started.forEach(RedisServer::close);
    }

    @Test
    void aServerOnThePathMustBeNewEnoughAndMustRun() throws IOException {
        fakeServer("redis-server", "echo 'Redis server v=5.0.7 sha=0'");
        assertThatThrownBy(() -> LocalInstallation.onPath(empty.toString()))
                .hasMessageContaining("version 5.0.7 (expected: 6.2.0 or later)");
        fakeServer("redis-server", "echo broken; exit 3");
        assertThatThrownBy(() -> LocalInstallation.onPath(empty.toString()))
                .hasMessageContaining("exit status 3: broken");
    }

    @Test
    void valkeyIsTakenWhenThereIsNoRedis() throws Exception {
        fakeServer("valkey-server", "echo 'Valkey server v=8.0.1 sha=0'");
        LocalInstallation found = LocalInstallation.onPath("/no/such/directory:" + empty);
        assertThat(found.version()).isEqualTo(new RedisVersion(true, 8, 0, 1));
    }

    @Test
    void theServerThatAVariableNamesIsTakenAndNoOther() throws Exception {
        fakeServer("a-server", "echo 'Redis server v=8.0.2 sha=0'");
        LocalInstallation found =
                LocalInstallation.named(empty.resolve("a-server").toString());
        assertThat(found.version()).isEqualTo(new RedisVersion(false, 8, 0, 2));
        assertThatThrownBy(
                        () -> LocalInstallation.named(empty.resolve("no-server").toString()))
                .isInstanceOf(RedisUnavailableException.class)
                .hasMessageStartingWith("variable HOLDFAST_SERVER: " + empty.resolve("no-server"));
    }

    private static void assumePresent(RedisSource source) {
        if (source == RedisSource.DOCKER) {
            ContainerEngine.assumePresent();
        }
        if (source == RedisSource.PATH) {
            Assumptions.assumeTrue(
                    PosixShell.hasCommand("redis-server") || PosixShell.hasCommand("valkey-server"),
                    "no server is on the PATH");
        }
    }

    private void fakeServer(String name, String script) throws IOException {
        Path file = empty.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private String found(Predicate<String> keptOnClassPath, String... options) throws IOException {
        return ChildJvm.run(keptOnClassPath, empty.toString(), List.of(options), ChildJvm.Finder.class);
    }

    private static boolean isNotTestcontainers(String entry) {
        return !entry.contains("testcontainers") && !entry.contains("docker-java");
    }
}
