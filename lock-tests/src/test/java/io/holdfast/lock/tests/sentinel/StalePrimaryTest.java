package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Row 13: a primary is stopped, replaced and continued. It goes on calling itself primary and takes writes, for some ten
 * seconds.
 */
@Tag("proof")
class StalePrimaryTest extends SentinelTest {

    private static final int LOCKS = 100;

    @Test
    void itGrantsNothingToAClientThatHasHeardOfTheSwitch() throws Exception {
        LockClient client = connect();
        client.getLock("before").acquire().release();
        RedisServer old = group.primary();
        old.pause();
        RedisServer now = group.awaitOtherPrimary(old);
        // The first grant by the new one is the proof that the client has heard.
        client.getLock("first").acquire().release();

        old.resume();
        assertThat(takesWrites(old)).isTrue();
        for (int i = 0; i < LOCKS; i++) {
            try (LockHold hold = client.getLock("later " + i).acquire()) {
                assertThat(has(now, hold.name())).isTrue();
                assertThat(has(old, hold.name())).isFalse();
            }
        }
        eventually(() -> assertThat(connections(old)).isEmpty());
    }

    /** It is as healthy as ever, and no Sentinel can make it a replica: nothing but the Sentinels' word leads away from it. */
    @Test
    void itIsLeftThoughItIsHealthy() throws Exception {
        RedisServer old = group.primary();
        try (RawRedis raw = old.connect()) {
            raw.command("ACL", "SETUSER", "default", "-slaveof", "-replicaof");
        }
        LockClient client = connect();
        LockHold hold = client.getLock("stock", Clients.watchdog(LONG_LEASE)).acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        awaitReplicated("stock");
        RedisServer now = group.failOver();

        OurConnections.awaitNoneAt(old);
        assertThat(takesWrites(old)).isTrue();
        assertThat(has(old, "stock")).isTrue();
        for (int i = 0; i < LOCKS; i++) {
            try (LockHold later = client.getLock("later " + i).acquire()) {
                assertThat(has(now, later.name())).isTrue();
                assertThat(has(old, later.name())).isFalse();
            }
        }
        assertThat(waiting.isDone()).isFalse();
        hold.release();
        Futures.get(waiting).release();
        assertThat(has(old, "stock")).as("no release reaches it").isTrue();
    }

    /** It is executed when the old primary goes on: that harms no owner, and the caller hears nothing of it. */
    @Test
    void anAcquireThatIsStuckInItsSocketIsGrantedByTheNewPrimary() throws Exception {
        LockClient client = connect();
        RLock lock = client.getLock("stock");
        lock.acquire().release();
        RedisServer old = group.primary();
        old.pause();
        RFuture<LockHold> stuck = lock.acquireAsync();
        RedisServer now = group.awaitOtherPrimary(old);
        LockHold hold = Futures.get(stuck);
        assertThat(has(now, "stock")).isTrue();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();

        old.resume();
        eventually(() -> assertThat(has(old, "stock")).as("executed late").isTrue());
        assertThat(waiting.isDone()).isFalse();
        assertThat(hold.validFor()).isPositive();
        long token = hold.fencingToken();
        hold.release();
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
        assertThat(has(now, "stock")).isFalse();
    }

    /** The library sends the undoing right behind it, so that the old primary executes both. */
    @Test
    void aTryThatIsStuckInItsSocketHasNoKnownOutcome() throws Exception {
        LockClient client = connect();
        RLock lock = client.getLock("stock");
        lock.acquire().release();
        RedisServer old = group.primary();
        long before = scripts(old);
        old.pause();
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockOutcomeUnknownException.class);
        RedisServer now = group.awaitOtherPrimary(old);

        old.resume();
        eventually(() -> assertThat(scripts(old)).as("executed late").isGreaterThan(before));
        try (LockHold hold = connect().getLock("stock").acquire()) {
            assertThat(has(now, hold.name())).isTrue();
        }
    }

    private static long scripts(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.calls("evalsha");
        }
    }

    private static boolean takesWrites(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            raw.command("SET", "holdfast:token:{probe}", "1");
            return raw.info("replication").get("role").equals("master");
        }
    }
}
