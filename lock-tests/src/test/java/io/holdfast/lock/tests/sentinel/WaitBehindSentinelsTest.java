package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.Detours;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replicas have to confirm a lock, and Sentinels replace the primary: which replicas count, and for which locks. */
@Tag("proof")
class WaitBehindSentinelsTest extends SentinelTest {

    /** Longer than a test: a call that waited for replicas that are not there would not end. */
    private static final Duration AGES = Duration.ofSeconds(55);

    private static final int CALLS = 5;

    private int wanted = 1;

    @Override
    ClientOptions.Builder options() {
        return Clients.quick().waitForReplicas(wanted, AGES);
    }

    /** Of three servers one is dead: the new primary has one replica, for as long as it is. */
    @Test
    void fewerThanWantedAfterAFailoverIsSaidAtOnceByEveryCall() throws Exception {
        wanted = 2;
        LockClient client = connect();
        RLock lock = client.getLock("stock");
        awaitInStep(group.primary(), 2);
        lock.acquire().release();
        RedisServer old = group.primary();
        old.kill();
        RedisServer now = group.awaitOtherPrimary(old);

        eventually(() -> assertTooFew(() -> lock.tryLock(1, TimeUnit.SECONDS)));
        for (int i = 0; i < CALLS; i++) {
            assertTooFew(() -> lock.tryLock(20, TimeUnit.SECONDS));
            assertTooFew(lock::lock);
            assertTooFew(lock::tryLock);
        }
        assertTooFew(() -> connect().getLock("another").acquire());
        try (RawRedis raw = now.connect()) {
            assertThat(raw.calls("wait")).as("no call has waited").isZero();
        }

        old.restart();
        awaitInStep(now, 2);
        lock.acquire().release();
    }

    /**
     * The old primary has granted two locks and its replicas have them; the answer about the first is on its way when the
     * Sentinels name another primary, and the second has yet to be asked about. That is asked at the new one, whose replica
     * has what it has. No Sentinel can make the old one a replica, which would end its connections.
     */
    @Test
    void whatTheOldPrimaryHasGrantedTheNewOnesReplicasDoNotConfirm() throws Exception {
        Detours detours = opening(group.detours());
        Map<NodeAddress, NodeAddress> ways = new HashMap<>();
        detours.addresses().forEach((announced, way) -> ways.put(NodeAddress.parse(announced), NodeAddress.parse(way)));
        LockClient client = connect(
                detours.url(), options().addressMapper(AddressMapper.of(ways)).build());
        awaitInStep(group.primary(), 2);
        client.getLock("before").acquire().release();
        RedisServer old = group.primary();
        try (RawRedis raw = old.connect()) {
            raw.command("ACL", "SETUSER", "default", "-slaveof", "-replicaof");
        }
        List<FaultProxy.Link> links = detours.to(old).connections();
        assertThat(links).as("one for requests, and one for WAIT").hasSize(2);
        links.get(1).holdReplies();
        RFuture<LockHold> asked = client.getLock("asked").acquireAsync();
        eventually(() -> assertThat(waits(old)).isGreaterThan(1));
        RFuture<LockHold> unasked = client.getLock("unasked").acquireAsync();
        eventually(() -> assertThat(has(old, "unasked")).isTrue());
        awaitReplicated("asked");
        awaitReplicated("unasked");

        RedisServer now = group.failOver();
        assertFails(asked, FailureReason.DISCONNECTED, "another server is where this one was looked for");
        assertFails(
                unasked,
                FailureReason.NOREPLICAS,
                "the replicas of another server process were asked than of the one that granted the lock");
        detours.heal(old);
        OurConnections.awaitNoneAt(old);
        eventually(() -> assertThat(has(now, "asked") || has(now, "unasked")).isFalse());
        awaitInStep(now, 1);
        client.getLock("asked").acquire().release();
    }

    private static void assertFails(RFuture<LockHold> grant, FailureReason reason, String sentence) {
        assertThatThrownBy(() -> grant.get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(LockException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(reason))
                .hasMessageContaining(sentence);
    }

    private static void assertTooFew(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(LockUnavailableException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.NOREPLICAS))
                .hasMessageMatching(
                        "(?s).*[01] of 2 replicas are connected and in step \\(expected: 2 or more, or fewer in"
                                + " waitForReplicas\\).*");
    }

    private static long waits(RedisServer server) {
        try (RawRedis raw = server.connect()) {
            return raw.calls("wait");
        }
    }

    /** Until a primary sees that so many replicas, or more, are in step: it does so a moment later than they do. */
    private static void awaitInStep(RedisServer primary, int replicas) {
        eventually(() -> {
            try (RawRedis raw = primary.connect()) {
                assertThat(raw.info("replication").values())
                        .filteredOn(value -> value.contains("state=online"))
                        .hasSizeGreaterThanOrEqualTo(replicas);
            }
        });
    }
}
