package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.TrustedTls;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers and Sentinels come by TLS, are announced by their host name, and each kind has a password of its own. */
@Tag("proof")
class SecuredSentinelTest extends SentinelTest {

    private static final String OF_SERVERS = "canary of the servers";
    private static final String OF_SENTINELS = "canary of the Sentinels";

    @Override
    SentinelGroup group() {
        return SentinelGroup.builder()
                .downAfter(Duration.ofMillis(1_500))
                .tls(TlsMode.MUTUAL)
                .announcedHost("localhost")
                .password(OF_SERVERS)
                .sentinelPassword(OF_SENTINELS)
                .start();
    }

    @Override
    ClientOptions.Builder options() {
        return options(OF_SERVERS, OF_SENTINELS);
    }

    private ClientOptions.Builder options(String ofServers, String ofSentinels) {
        return Clients.quick()
                .tls(TrustedTls.tls(group.servers().get(0)))
                .credentials(CredentialsProvider.of(Credentials.ofPassword(ofServers)))
                .sentinel(SentinelOptions.builder()
                        .credentials(CredentialsProvider.of(Credentials.ofPassword(ofSentinels)))
                        .build());
    }

    @Test
    void ownersExcludeAndWakeEachOtherBeforeAndAfterASwitch() throws Exception {
        LockClient one = connect();
        LockClient other = connect();
        assertExcludesAndWakes(one, other);
        LockHold held = one.getLock("kept").acquire();
        awaitReplicated("kept");
        RedisServer old = group.primary();
        old.kill();
        RedisServer now = group.awaitOtherPrimary(old);
        assertExcludesAndWakes(other, one);
        assertThat(has(now, "kept")).isTrue();
        held.release();
        assertThat(log.lines("canary")).isEmpty();
    }

    @Test
    void aWrongPasswordIsRefusedByTheServersAndByTheSentinels() {
        for (ClientOptions.Builder wrong :
                new ClientOptions.Builder[] {options("canary 1", OF_SENTINELS), options(OF_SERVERS, "canary 2")}) {
            assertThatThrownBy(() -> connect(group.url(), wrong.build()))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageNotContaining("canary");
        }
        assertThat(log.lines("canary")).isEmpty();
    }

    private static void assertExcludesAndWakes(LockClient one, LockClient other) throws Exception {
        try (LockHold hold = one.getLock("stock").acquire()) {
            assertThat(other.getLock("stock").tryLock()).isFalse();
            RFuture<LockHold> waiting = other.getLock("stock").acquireAsync();
            long token = hold.fencingToken();
            hold.release();
            try (LockHold next = Futures.get(waiting)) {
                assertThat(next.fencingToken()).isGreaterThan(token);
            }
        }
    }
}
