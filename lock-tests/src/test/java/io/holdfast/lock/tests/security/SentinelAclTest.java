package io.holdfast.lock.tests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisSource;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.support.MinimalAcl;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A user of the Sentinels with the rights that docs/acl.md names can do all that the library does there. */
@Tag("proof")
class SentinelAclTest {

    private static final String USER = "app";
    private static final String PASSWORD = "p:4/ss@word";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void thoseRightsAreEnoughForAskingAndListening(RedisSource source) throws Exception {
        try (SentinelGroup group = group(source, MinimalAcl.sentinelCommands());
                LockClient client = LockClient.connect(group.url(), asThatUser())) {
            client.getLock("acl").acquire().close();
            assertAllListenAndNothingWasRefused(group);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    @Tag("proof")
    void thoseRightsAreEnoughForAFailover(RedisSource source) throws Exception {
        try (SentinelGroup group = group(source, MinimalAcl.sentinelCommands());
                LockClient client = LockClient.connect(group.url(), asThatUser())) {
            client.getLock("acl").acquire().close();
            RedisServer old = group.primary();
            group.failOver();
            OurConnections.awaitNoneAt(old);
            try (LockHold hold = client.getLock("acl").acquire()) {
                assertThat(hold.fencingToken()).isPositive();
            }
            assertAllListenAndNothingWasRefused(group);
        }
    }

    /** What docs/acl.md says of each. */
    @ParameterizedTest
    @ValueSource(strings = {"client|setname", "subscribe", "sentinel|sentinels", "sentinel|myid"})
    @Tag("proof")
    void aFailoverIsFollowedWithoutOneOf(String right) throws Exception {
        try (SentinelGroup group = group(RedisSource.PATH, without(right));
                LockClient client = LockClient.connect(group.url(), asThatUser())) {
            RedisServer old = group.primary();
            client.getLock("acl").acquire().close();
            group.failOver();
            OurConnections.awaitNoneAt(old);
            client.getLock("acl").acquire().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ping", "sentinel|get-master-addr-by-name", "sentinel|master"})
    @Tag("proof")
    void noPrimaryIsFoundWithoutOneOf(String right) {
        try (SentinelGroup group = group(RedisSource.PATH, without(right))) {
            assertThatThrownBy(
                            () -> LockClient.connect(group.url(), asThatUser()).close())
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.NOPERM))
                    .hasMessageNotContainingAny(PASSWORD);
        }
    }

    private static SentinelGroup group(RedisSource source, Set<String> commands) {
        return SentinelGroup.builder()
                .source(source)
                .sentinels(sentinel -> sentinel.option("user", MinimalAcl.sentinelRule(USER, PASSWORD, commands)))
                .start();
    }

    private static ClientOptions asThatUser() {
        SentinelOptions sentinel = SentinelOptions.builder()
                .credentials(CredentialsProvider.of(USER, PASSWORD))
                .build();
        return ClientOptions.builder().sentinel(sentinel).build();
    }

    private static Set<String> without(String right) {
        Set<String> commands = MinimalAcl.sentinelCommands();
        assertThat(commands.remove(right)).isTrue();
        return commands;
    }

    private static void assertAllListenAndNothingWasRefused(SentinelGroup group) {
        for (RedisServer sentinel : group.sentinels()) {
            try (RawRedis admin = sentinel.connect()) {
                await().atMost(PATIENCE.toSeconds(), TimeUnit.SECONDS).until(() -> admin.clients().stream()
                        .anyMatch(each -> USER.equals(each.get("user")) && "1".equals(each.get("sub"))));
                assertThat(admin.command("ACL", "LOG")).isEqualTo(List.of());
            }
        }
    }
}
