package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.MinimalAcl;
import io.holdfast.lock.tests.support.NarrowUser;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The failover guard needs no rights at the servers but those of always, and says what it lacks where it has not INFO. */
@Tag("proof")
class GuardedRightsTest extends GuardedSentinelTest {

    private static final String PASSWORD = "secret";

    @Override
    Duration lease() {
        return Duration.ofSeconds(6);
    }

    @Test
    void theUserWithFewRightsIsGuarded() throws Exception {
        group.servers().forEach(server -> allow(server, MinimalAcl.commands()));
        assertGuards("app");
    }

    /** An administrator has loaded the scripts at each server. */
    @Test
    void theUserThatBringsNoScriptsIsGuarded() throws Exception {
        group.servers().forEach(NarrowUser::url);
        assertGuards("narrow");
    }

    @Test
    void withoutInfoACallSaysWhatIsMissing() {
        Set<String> commands = MinimalAcl.commands();
        commands.remove("info");
        group.servers().forEach(server -> allow(server, commands));
        LockClient client = connect(group.url(), options("app").build());
        assertThatThrownBy(() -> client.getLock("stock").tryLock())
                .isInstanceOfSatisfying(LockException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.NOPERM))
                .hasMessageContaining("failoverGuard: INFO replication in a script")
                .hasMessageContaining("(expected: the right +info)");
    }

    /** Takes, enters again, renews and hands over, before a failover and after it. */
    private void assertGuards(String user) throws Exception {
        LockClient client = connect(group.url(), options(user).build());
        assertWorks(client);
        RedisServer old = group.primary();
        RedisServer now = group.failOver();
        // A client that is told late takes the lock at the old primary, and loses it.
        OurConnections.awaitNoneAt(old);
        grantedAfterThePause(client.getLock("stock").acquireAsync(), now).release();
        assertWorks(client);
    }

    private void assertWorks(LockClient client) {
        RLock lock = client.getLock("entered twice", Clients.watchdog(Duration.ofSeconds(2)));
        lock.lock();
        lock.lock();
        RFuture<LockHold> waiting = lock.acquireAsync();
        long began = System.nanoTime();
        // It would be over by then if it were not renewed.
        eventually(() -> assertThat(System.nanoTime() - began)
                .isGreaterThan(Duration.ofSeconds(3).toNanos()));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        lock.unlock();
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.state()).isEqualTo(HoldState.HELD);
        }
    }

    private ClientOptions.Builder options(String user) {
        return options().credentials(CredentialsProvider.of(user, PASSWORD));
    }

    private static void allow(RedisServer server, Set<String> commands) {
        try (RawRedis raw = server.connect()) {
            raw.command(MinimalAcl.rule("app", PASSWORD, commands));
        }
    }
}
