package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Row 13 with the failover guard: a primary that was replaced goes on as if nothing had been, beside a client that hears
 * nothing else.
 */
@Tag("proof")
class GuardedSplitTest extends GuardedSentinelTest {

    private static final String LONELY = "lonely";

    private Detours detours;
    private RedisServer old;

    @Override
    Duration lease() {
        return Duration.ofSeconds(6);
    }

    /** No Sentinel can make the first primary a replica: it takes writes for ever. */
    @BeforeEach
    void thePrimaryWillStayOne() {
        detours = group.detours();
        old = group.primary();
        try (RawRedis raw = old.connect()) {
            raw.command("ACL", "SETUSER", "default", "-slaveof", "-replicaof");
        }
    }

    /** The ends of connections are kept back too. */
    @AfterEach
    void healAll() {
        group.servers().forEach(detours::heal);
        group.sentinels().forEach(detours::heal);
    }

    @Test
    void whatAStalePrimaryExecutesLateIsNoGrant() throws Exception {
        LockClient cutOff = connect(
                detours, options().commandTimeout(Duration.ofSeconds(40)).heartbeat(Duration.ofSeconds(40)));
        LockClient other = connect();
        cutOff.getLock("before").acquire().release();
        long before = scripts(old);
        old.pause();
        RFuture<LockHold> stuck = cutOff.getLock("stock").acquireAsync();
        group.sentinels().forEach(detours::partition);
        RedisServer now = group.awaitOtherPrimary(old);
        old.resume();

        eventually(
                () -> assertThat(scripts(old)).as("executed late, and undone").isGreaterThanOrEqualTo(before + 2));
        eventually(() -> assertThat(has(old, "stock")).isFalse());
        assertFails(cutOff, "another", FailureReason.NOT_VOUCHED);
        try (LockHold good = grantedAfterThePause(other.getLock("stock").acquireAsync(), now)) {
            assertThat(stuck.isDone()).isFalse();
            assertThat(has(now, good.name())).isTrue();
            group.sentinels().forEach(detours::heal);
            eventually(() -> assertThat(connections(old)).isEmpty());
            assertThat(stuck.isDone()).isFalse();
        }
        try (LockHold next = Futures.get(stuck)) {
            assertThat(has(now, next.name())).isTrue();
        }
    }

    /** Without the guard its watchdog would renew for ever there. */
    @Test
    void aHoldAtAStalePrimaryEndsBeforeTheNextOneBegins() throws Exception {
        LockClient cutOff = connect(detours, options());
        LockHold hold = cutOff.getLock("stock").acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        List<String> order = new ArrayList<>();
        hold.onLost(lost -> add(order, "lost " + lost.reason()));
        waiting.thenAccept(granted -> add(order, "granted"));
        group.sentinels().forEach(detours::partition);
        RedisServer now = group.failOver();
        try (LockHold next = grantedAfterThePause(waiting, now)) {
            eventually(() -> assertThat(copy(order)).containsExactly("lost " + LossReason.NOT_RENEWED, "granted"));
            assertThat(has(now, next.name())).isTrue();
        }
        assertThat(connections(old)).as("it goes on there").isNotEmpty();
        assertFails(cutOff, "another", FailureReason.NOT_VOUCHED);
    }

    /** One Sentinel is cut off together with the old primary and a client, and names it for ever. */
    @Test
    void eachSideOfASplitHearsItsOwnSentinelAndOneHasTheLock() throws Exception {
        LockClient here = connect(detours, options());
        LockHold hold = here.getLock("stock").acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        List<RedisServer> there = new ArrayList<>(group.sentinels());
        RedisServer lonely = there.remove(there.size() - 1);
        isolate(lonely);
        there.forEach(detours::partition);
        group.replicas().forEach(detours::partition);
        try (RawRedis raw = there.get(0).connect()) {
            raw.command("SENTINEL", "FAILOVER", group.name());
        }
        eventually(() -> assertThat(there)
                .allSatisfy(sentinel ->
                        assertThat(group.namedBy(sentinel)).isPresent().isNotEqualTo(group.namedBy(lonely))));
        RedisServer now = group.primary();
        assertThat(group.namedBy(lonely)).contains(old);

        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.NOT_RENEWED);
        assertThat(waiting.isDone()).isFalse();
        try (LockHold next = grantedAfterThePause(waiting, now)) {
            assertThat(has(now, next.name())).isTrue();
            assertFails(here, "stock", FailureReason.NOT_VOUCHED);
            assertFails(here, "another", FailureReason.NOT_VOUCHED);
        }
        assertThat(group.namedBy(lonely)).contains(old);
        assertThat(connections(old)).as("it goes on there").isNotEmpty();
        assertThat(log.lines("Of 3 Sentinels of mymaster 1 have named")).hasSize(1);
    }

    /** It knows the others, and hears from none of them what they agree on. */
    private void isolate(RedisServer sentinel) {
        String id;
        try (RawRedis raw = sentinel.connect()) {
            id = String.valueOf(raw.text("SENTINEL", "MYID"));
            raw.command("ACL", "SETUSER", "default", "-publish");
            raw.command("SENTINEL", "SET", group.name(), "auth-user", LONELY);
            raw.command("SENTINEL", "SET", group.name(), "auth-pass", LONELY);
        }
        for (RedisServer server : group.servers()) {
            try (RawRedis raw = server.connect()) {
                raw.command(
                        "ACL",
                        "SETUSER",
                        LONELY,
                        "on",
                        ">" + LONELY,
                        "resetchannels",
                        "-@all",
                        "+ping",
                        "+info",
                        "+client|setname");
                for (Map<String, String> client : raw.clients()) {
                    if (client.getOrDefault("name", "").startsWith("sentinel-" + id.substring(0, 8))) {
                        raw.command("CLIENT", "KILL", "ID", client.get("id"));
                    }
                }
            }
        }
    }

    private static void add(List<String> order, String what) {
        synchronized (order) {
            order.add(what);
        }
    }

    private static List<String> copy(List<String> order) {
        synchronized (order) {
            return List.copyOf(order);
        }
    }

    private static long scripts(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.calls("evalsha");
        }
    }
}
