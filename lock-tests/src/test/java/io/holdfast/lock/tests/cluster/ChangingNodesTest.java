package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.ClusterShape;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that come to a cluster and leave it while its locks are in use. */
@Tag("proof")
@ClusterShape(spares = 1)
class ChangingNodesTest extends ClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    @Test
    void aNodeThatIsAddedServesLocksAndIsLeftWhenItIsRemoved() throws Exception {
        RedisServer added = cluster.spares().get(0);
        try (Workers workers = new Workers(this)) {
            String name = workers.names.get(0);
            int slot = slotOf(name);
            RedisServer before = cluster.masterOf(slot);
            cluster.meet(added);
            cluster.awaitSettled();
            cluster.moveSlot(slot, added);
            workers.awaitTurns();
            assertThat(OurConnections.at(added)).isNotEmpty();

            cluster.moveSlot(slot, before);
            workers.awaitTurns();
            cluster.forget(added);
            OurConnections.awaitNoneAt(added);
            workers.awaitTurns();
            assertThat(workers.together).hasValue(0);
            assertThat(workers.failures).hasValue(0);
        }
    }

    /** Its slots have no primary meanwhile, so all nodes refuse calls. */
    @Test
    void locksOfANodeThatIsForgottenAreThereWhenItIsMetAgain() throws Exception {
        LockClient client =
                connect(patient().lockOptions(Clients.watchdog(LEASE)).build());
        LockClient other = connect();
        List<String> names = oneOfEach();
        List<LockHold> holds = names.stream()
                .map(name -> Futures.get(client.getLock(name).acquireAsync()))
                .toList();
        RedisServer forgotten = cluster.masterOf(slotOf(names.get(0)));
        List<RedisServer> others =
                cluster.masters().stream().filter(master -> master != forgotten).toList();
        cluster.follow(cluster.replicaOf(forgotten), others.get(0));
        List<Background<LockHold>> waiters = names.stream()
                .map(name -> Background.call(
                        () -> other.getLock(name).tryAcquire(PATIENCE).orElseThrow()))
                .toList();
        eventually(() -> assertThat(other.waiters()).hasSize(names.size()));

        cluster.forget(forgotten);
        eventually(() -> assertThat(others)
                .allSatisfy(master -> assertThat(stateAt(master)).contains("cluster_state:fail")));
        cluster.meet(forgotten);
        cluster.awaitSettled();

        for (int i = 0; i < names.size(); i++) {
            assertThat(holds.get(i).state()).isEqualTo(HoldState.HELD);
            holds.get(i).close();
            LockHold next = waiters.get(i).result(PATIENCE);
            assertThat(next.fencingToken()).isGreaterThan(holds.get(i).fencingToken());
            next.close();
        }
    }

    private static String stateAt(RedisServer node) {
        try (RawRedis raw = node.connect()) {
            return String.valueOf(raw.text("CLUSTER", "INFO"));
        }
    }

    /** It was reset, and is the first node that new clients ask: it knows no other node, and later all of them. */
    @Test
    void aReplicaThatBecomesThePrimaryOfNothingIsAskedForNothing() throws Exception {
        try (Workers workers = new Workers(this)) {
            RedisServer replica = cluster.replicas().get(0);
            try (RawRedis raw = replica.connect()) {
                raw.command("CLUSTER", "RESET", "SOFT");
            }
            String first = Stream.concat(
                            Stream.of(replica), cluster.nodes().stream().filter(node -> node != replica))
                    .map(cluster::addressOf)
                    .collect(Collectors.joining(",", "redis-cluster://", ""));
            try (LockClient early = LockClient.connect(first, patient().build())) {
                early.getLock("early").acquire().close();
            }
            cluster.meet(replica);
            assertThat(cluster.masters()).doesNotContain(replica);
            assertThat(cluster.replicas()).doesNotContain(replica);
            try (LockClient late = LockClient.connect(first, patient().build())) {
                late.getLock("late").acquire().close();
            }
            workers.awaitTurns();
            assertThat(workers.together).hasValue(0);
            assertThat(workers.failures).hasValue(0);
        }
    }
}
