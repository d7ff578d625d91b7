package io.holdfast.lock.tests.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ReplicatedPair;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.ExpiringTokens;
import io.holdfast.lock.tests.support.TrustedTls;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The connection on which replicas are waited for comes as the others do: by TLS, in RESP2, into the client's database, with
 * its credentials.
 */
@Tag("proof")
class SecuredWaitTest {

    private static final Duration AGES = Duration.ofSeconds(25);

    @Test
    void itShowsTheClientsCertificate() throws Exception {
        try (RedisServer authority = RedisServer.builder().tls(TlsMode.MUTUAL).start();
                ReplicatedPair pair = ReplicatedPair.start(1, builder -> builder.tls(authority.tls()))) {
            RedisServer primary = pair.primary();
            assertThat(primary.url()).startsWith("rediss://");
            assertConfirms(pair, primary.url(), TrustedTls.options(primary, waiting()));
        }
    }

    /** A user who may not say HELLO. */
    @Test
    void itSpeaksAsOldAProtocolAsTheOthers() throws Exception {
        try (ReplicatedPair pair = ReplicatedPair.start()) {
            RedisServer primary = pair.primary();
            try (RawRedis admin = primary.connect()) {
                admin.command("ACL", "SETUSER", "old", "on", ">secret", "+@all", "-hello", "~*", "&*");
            }
            assertConfirms(pair, primary.url().replace("://", "://old:secret@") + "/2", waiting());
        }
    }

    /** Tokens run out, and the server ends the connections that have not logged in anew. */
    @Test
    void itLogsInAnewWhenTheOthersDo() {
        try (ReplicatedPair pair = ReplicatedPair.start();
                ExpiringTokens tokens = new ExpiringTokens(pair.primary(), Duration.ofSeconds(2))) {
            ConfirmedLockTest.awaitOnLine(pair);
            ClientOptions options = waiting().toBuilder().credentials(tokens).build();
            try (LockClient client = LockClient.connect(pair.primary().url(), options)) {
                RLock lock = client.getLock("job");
                UnconfirmedLockTest.patiently().until(() -> {
                    lock.lock();
                    lock.unlock();
                    return tokens.expired() >= 3;
                });
                assertThat(tokens.cut()).isZero();
            }
        }
    }

    /** Several grants on one connection: WAIT is said, and answered, where the lock was granted. */
    private static void assertConfirms(ReplicatedPair pair, String url, ClientOptions options) throws Exception {
        ConfirmedLockTest.awaitOnLine(pair);
        try (LockClient client = LockClient.connect(url, options);
                RawRedis primary = pair.primary().connect();
                RawRedis replica = pair.replicas().get(0).connect()) {
            String database = url.endsWith("/2") ? "2" : "0";
            primary.command("SELECT", database);
            replica.command("SELECT", database);
            for (int i = 1; i <= 3; i++) {
                RLock lock = client.getLock("job");
                assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
                assertThat(Stored.exists(replica, "job")).isTrue();
                assertThat(primary.calls("wait")).isEqualTo(i);
                lock.unlock();
            }
            assertThat(primary.integer("PTTL", "holdfast:wait:" + client.id())).isPositive();
        }
    }

    private static ClientOptions waiting() {
        return Clients.quick().waitForReplicas(1, AGES).build();
    }
}
