package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A primary, replicas and Sentinels: started, failed over once, and gone without a trace. */
@Tag("proof")
class SentinelGroupTest {
    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void aGroupIsReadyForAFailoverWhenItIsHandedOut(RedisSource source) {
        List<RedisServer> all;
        List<Path> directories;
        try (SentinelGroup group = SentinelGroup.builder().source(source).start()) {
            all = new ArrayList<>(group.servers());
            all.addAll(group.sentinels());
            directories = all.stream().map(RedisServer::directory).toList();
            assertThat(directories).hasSize(6).doesNotHaveDuplicates();
            assertThat(group.url())
                    .isEqualTo(
                            "redis-sentinel://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d/mymaster",
                            group.sentinels().stream().map(RedisServer::port).toArray());

            RedisServer old = group.primary();
            assertThat(old).isSameAs(group.servers().get(0));
            RedisServer promoted = group.failOver();
            assertThat(promoted).isNotSameAs(old).isSameAs(group.primary());
            assertThat(group.replicas()).hasSize(2).contains(old).doesNotContain(promoted);
            assertThat(group.sentinels())
                    .allSatisfy(sentinel -> assertThat(group.namedBy(sentinel)).contains(promoted));
        }
        assertThat(all).noneMatch(RedisServer::isAlive);
        assertThat(directories).allSatisfy(directory -> assertThat(directory).doesNotExist());
    }

    @Test
    void withoutAMajorityThereIsNoPrimaryAndEachSentinelsWordIsTold() {
        try (SentinelGroup group = embedded().replicas(1).start()) {
            group.sentinels().get(0).kill();
            group.sentinels().get(1).pause();
            assertThat(group.namedBy(group.sentinels().get(0))).isEmpty();
            assertThat(group.namedBy(group.sentinels().get(2)))
                    .contains(group.servers().get(0));
            assertThatThrownBy(group::primary)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            group.url() + ": no server is named by a majority of the Sentinels",
                            group.sentinels().get(0).port() + " says nothing: killed or paused",
                            group.sentinels().get(2).port() + " names 127.0.0.1:"
                                    + group.servers().get(0).port() + " (master");
            group.sentinels().get(0).restart();
            assertThat(group.primary()).isSameAs(group.servers().get(0));
        }
    }

    @Test
    void aDetourCutsOffOneNodeForItsOwnClientOnly() {
        try (SentinelGroup group = embedded().replicas(1).sentinels(1).start()) {
            Detours detours = group.detours();
            RedisServer primary = group.primary();
            FaultProxy proxy = detours.to(primary);
            assertThat(detours.addresses())
                    .hasSize(3)
                    .containsEntry(group.addressOf(primary), "127.0.0.1:" + proxy.port())
                    .containsKey(group.addressOf(group.sentinels().get(0)));
            assertThat(detours.url())
                    .isEqualTo("redis-sentinel://127.0.0.1:"
                            + detours.to(group.sentinels().get(0)).port() + "/mymaster");

            detours.partition(primary);
            try (RawRedis cutOff = RawRedis.connect(proxy.host(), proxy.port());
                    RawRedis other = primary.connect()) {
                cutOff.send("PING");
                assertThat(other.text("PING")).isEqualTo("PONG");
                assertThatThrownBy(() -> cutOff.timeout(Duration.ofMillis(200)).receive())
                        .isInstanceOf(UncheckedIOException.class);
                detours.heal(primary);
                assertThat(cutOff.receive()).isEqualTo("PONG");
            }
        }
    }

    @Test
    void whatCanNotBeIsSaid() {
        assertThatThrownBy(() -> SentinelGroup.builder().replicas(0)).hasMessage("replicas: 0 (expected: > 0)");
        assertThatThrownBy(() -> SentinelGroup.builder().name("a b"))
                .hasMessage("name: a b (expected: letters, digits and . _ -)");
        assertThatThrownBy(() -> embedded().announcedHost("127.0.0.2").start())
                .hasMessage("announced host: 127.0.0.2, which is 127.0.0.2 (expected: a name of 127.0.0.1)");
    }

    @Test
    void serversInContainersAreRefused() {
        ContainerEngine.assumePresent();
        assertThatThrownBy(
                        () -> SentinelGroup.builder().source(RedisSource.DOCKER).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("(expected: from this machine, by -Dholdfast.redis=path or embedded)");
    }

    private static SentinelGroupBuilder embedded() {
        return SentinelGroup.builder().source(RedisSource.EMBEDDED);
    }
}
