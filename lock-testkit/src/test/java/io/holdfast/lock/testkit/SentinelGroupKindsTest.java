package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sentinel groups with passwords, users, TLS and host names, and more than one failover. */
@Tag("proof")
class SentinelGroupKindsTest {
    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void passwordsAndUsersAreForServersAndSentinelsApart(RedisSource source) {
        try (SentinelGroup group = SentinelGroup.builder()
                .source(source)
                .password("of the servers")
                .replicationUser("keeper", "of the keeper")
                .sentinelPassword("of the Sentinels")
                .sentinels(sentinel ->
                        sentinel.option("user", "asker", "on", ">asks", "-@all", "+sentinel|get-master-addr-by-name"))
                .start()) {
            RedisServer sentinel = group.sentinels().get(0);
            try (RawRedis raw = RawRedis.connect(sentinel.host(), sentinel.port())) {
                assertThatThrownBy(() -> raw.command("PING")).hasMessageStartingWith("NOAUTH");
                raw.command("AUTH", "asker", "asks");
                assertThat(raw.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"))
                        .hasSize(2);
                assertThatThrownBy(() -> raw.command("SENTINEL", "MASTER", "mymaster"))
                        .hasMessageStartingWith("NOPERM");
            }
            try (RawRedis raw = group.primary().connect()) {
                assertThat(raw.text("CLIENT", "LIST")).contains("user=keeper");
            }
            RedisServer old = group.primary();
            RedisServer promoted = group.failOver();
            group.follow(old);
            group.awaitSettled();
            assertThat(group.primary()).isSameAs(promoted);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "MUTUAL"})
    void allComeByTls(TlsMode mode) {
        try (SentinelGroup group = embedded().tls(mode).start()) {
            assertThat(group.url())
                    .startsWith("rediss-sentinel://127.0.0.1:"
                            + group.sentinels().get(0).port() + ",");
            try (RawRedis raw = group.sentinels().get(0).connect()) {
                assertThat(raw.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"))
                        .containsExactly(
                                "127.0.0.1", String.valueOf(group.primary().port()));
                assertThat(String.valueOf(raw.command("SENTINEL", "SENTINELS", "mymaster")))
                        .contains("port, " + group.sentinels().get(1).port());
            }
            group.failOver();
        }
    }

    @Test
    void plainClientsOfSentinelsThatWatchServersWithTls() {
        try (SentinelGroup group =
                embedded().tls(TlsMode.SERVER).sentinelTls(TlsMode.OFF).start()) {
            String seed = group.url()
                    .substring("rediss-sentinel://127.0.0.1:".length())
                    .split(",")[0];
            try (RawRedis raw = RawRedis.connect("127.0.0.1", Integer.parseInt(seed))) {
                assertThat(raw.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"))
                        .containsExactly(
                                "127.0.0.1", String.valueOf(group.primary().port()));
            }
        }
    }

    @Test
    void clientsComeToSentinelsByTlsAndToServersPlainly() {
        try (SentinelGroup group = embedded().sentinelTls(TlsMode.MUTUAL).start()) {
            assertThat(group.url())
                    .startsWith("redis-sentinel://127.0.0.1:"
                            + group.sentinels().get(0).port() + ",");
            assertThat(group.sentinels().get(0).tls().mutual()).isTrue();
            assertThat(group.sentinels())
                    .extracting(sentinel -> sentinel.tls().authority())
                    .containsOnly(group.sentinels().get(0).tls().authority());
            group.failOver();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void serversAreAnnouncedByTheirHostName(RedisSource source) {
        try (SentinelGroup group = SentinelGroup.builder()
                .source(source)
                .announcedHost("localhost")
                .start()) {
            RedisServer promoted = group.failOver();
            assertThat(group.addressOf(promoted)).isEqualTo("localhost:" + promoted.port());
            try (RawRedis raw = group.sentinels().get(0).connect()) {
                assertThat(raw.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"))
                        .containsExactly("localhost", String.valueOf(promoted.port()));
                assertThat(String.valueOf(raw.command("SENTINEL", "SENTINELS", "mymaster")))
                        .contains("ip, localhost, port, "
                                + group.sentinels().get(1).port());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void failoversFollowEachOtherAndEndInASettledGroup(RedisSource source) {
        try (SentinelGroup group = SentinelGroup.builder().source(source).start()) {
            RedisServer first = group.primary();
            RedisServer second = group.failOver();
            RedisServer third = group.failOver();
            assertThat(third).isNotSameAs(second);
            group.follow(second);
            if (third != first) {
                group.follow(first);
            }
            group.awaitSettled();
            third.kill();
            RedisServer fourth = group.awaitOtherPrimary(third);
            fourth.pause();
            third.restart();
            assertThat(group.awaitOtherPrimary(fourth)).isNotSameAs(fourth);
        }
    }

    private static SentinelGroupBuilder embedded() {
        return SentinelGroup.builder().source(RedisSource.EMBEDDED);
    }
}
