package io.holdfast.lock.tests.preflight;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.MinimalAcl;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Nothing works without scripts, so such a server is refused at connect. */
class NoScriptsTest {

    @Test
    void aUserWithoutScriptsIsRefusedAtConnect() {
        try (RedisServer server = RedisServer.start()) {
            Set<String> commands = new TreeSet<>(MinimalAcl.commands());
            commands.removeAll(Set.of("eval", "evalsha"));
            try (RawRedis admin = server.connect()) {
                admin.command(MinimalAcl.rule("app", "secret-of-app", commands));
            }
            assertRefused(
                    "redis://app:secret-of-app@" + server.host() + ":" + server.port(),
                    FailureReason.NOPERM,
                    "+evalsha");
        }
    }

    @Test
    void aServerWithoutScriptsIsRefusedAtConnect() {
        try (RedisServer server = RedisServer.builder()
                .option("rename-command", "EVAL", "")
                .option("rename-command", "EVALSHA", "")
                .start()) {
            assertRefused(server.url(), FailureReason.SERVER_ERROR, "a server that has EVALSHA");
        }
    }

    @Test
    void aServerWithoutEvalAloneIsOfUse() {
        try (RedisServer server = RedisServer.builder()
                        .option("rename-command", "EVAL", "")
                        .start();
                LockClient client = LockClient.connect(server.url())) {
            client.getLock("scripts").lock();
            client.getLock("scripts").unlock();
        }
    }

    private static void assertRefused(String url, FailureReason reason, String expected) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOfSatisfying(
                        LockServerException.class,
                        refusal -> org.assertj.core.api.Assertions.assertThat(refusal.reason())
                                .isEqualTo(reason))
                .hasMessageContaining("scripts are not allowed")
                .hasMessageContaining(expected)
                .hasMessageNotContaining("secret");
    }
}
