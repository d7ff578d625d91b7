package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A primary and replicas that nothing watches. */
@Tag("proof")
class ReplicatedPairTest {
    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void whatThePrimaryTakesIsAtTheReplicasInTheEnd(RedisSource source) {
        try (ReplicatedPair pair = ReplicatedPair.start(2, builder -> builder.source(source))) {
            assertThat(pair.servers()).hasSize(3).startsWith(pair.primary());
            write(pair.primary(), "1");
            pair.awaitInStep();
            assertThat(pair.replicas()).hasSize(2).allSatisfy(replica -> assertThat(read(replica))
                    .isEqualTo("1"));
        }
    }

    @Test
    void aPromotedReplicaIsThePrimaryAndTheOldOneDoesNotKnow() {
        try (ReplicatedPair pair = ReplicatedPair.start(1, builder -> builder.source(RedisSource.EMBEDDED))) {
            RedisServer old = pair.primary();
            RedisServer promoted = pair.replicas().get(0);
            pair.promote(promoted);
            assertThat(pair.primary()).isSameAs(promoted);
            assertThat(pair.replicas()).containsExactly(old);
            write(old, "stale");
            write(promoted, "right");

            pair.follow(old);
            pair.awaitInStep();
            assertThat(read(old)).isEqualTo("right");
            assertThatThrownBy(() -> write(old, "late")).hasMessageStartingWith("READONLY");
        }
    }

    @Test
    void serversThatDoNotAnswerAreNotWaitedFor() {
        try (ReplicatedPair pair = ReplicatedPair.start(2, builder -> builder.source(RedisSource.EMBEDDED))) {
            pair.replicas().get(0).pause();
            pair.replicas().get(1).kill();
            pair.awaitInStep();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "MUTUAL"})
    void replicasComeByTlsWhereClientsDo(TlsMode mode) {
        ServerTls tls = ServerTls.fresh(mode == TlsMode.MUTUAL);
        try (ReplicatedPair pair = ReplicatedPair.start(
                1, builder -> builder.source(RedisSource.EMBEDDED).tls(tls))) {
            assertThat(pair.url()).startsWith("rediss-replicas://");
            assertThat(Replication.of(pair.replicas().get(0)).toString())
                    .contains("is a replica of 127.0.0.1:" + pair.primary().port());
        }
    }

    @Test
    void theServersAndTheirFilesGoWithThePair() {
        List<Path> directories;
        try (ReplicatedPair pair = ReplicatedPair.start(1, builder -> builder.source(RedisSource.EMBEDDED))) {
            directories = pair.servers().stream().map(RedisServer::directory).toList();
            assertThat(pair.url())
                    .isEqualTo("redis-replicas://127.0.0.1:"
                            + pair.servers().get(0).port() + ",127.0.0.1:"
                            + pair.servers().get(1).port());
        }
        assertThat(directories).allSatisfy(directory -> assertThat(directory).doesNotExist());
    }

    @Test
    void whatCanNotBeIsSaid() {
        assertThatThrownBy(() -> ReplicatedPair.start(0)).hasMessage("replicas: 0 (expected: > 0)");
        try (ReplicatedPair pair = ReplicatedPair.start(1, builder -> builder.source(RedisSource.EMBEDDED));
                RedisServer other = RedisServer.start()) {
            assertThatThrownBy(() -> pair.promote(pair.primary()))
                    .hasMessageStartingWith("promote: ")
                    .hasMessageEndingWith("(expected: a replica of " + pair.url() + ")");
            assertThatThrownBy(() -> pair.follow(other)).hasMessageContaining(other.url());
        }
    }

    private static void write(RedisServer server, String value) {
        try (RawRedis raw = server.connect()) {
            raw.command("SET", "a", value);
        }
    }

    private static String read(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.text("GET", "a");
        }
    }
}
