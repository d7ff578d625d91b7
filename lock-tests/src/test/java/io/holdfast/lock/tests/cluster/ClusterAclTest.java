package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisSource;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.SlotMove;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.LibraryLog;
import io.holdfast.lock.tests.support.MinimalAcl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user with the documented rights can do on a cluster, and what follows where one of them is missing (docs/acl.md). */
@Tag("proof")
class ClusterAclTest extends ClusterTest {

    private static final String USER = "app";
    private static final String PASSWORD = "s3cret";

    /** What the diagnosis alone asks, and the rights of options that are off. */
    private static final Set<String> NOT_NEEDED = Set.of("+config|get", "+wait", "+cluster|info", "+cluster|nodes");

    private final List<String> names = namesOfOneSlot(4);
    private final int slot = slotOf(names.get(0));

    /** A cluster has a user at each of its nodes: the nodes don't tell each other. */
    private static void user(ServerCluster of, Set<String> rights) {
        for (RedisServer node : of.nodes()) {
            try (RawRedis admin = node.connect()) {
                admin.command(MinimalAcl.rule(USER, PASSWORD, rights));
                admin.command("ACL", "LOG", "RESET");
            }
        }
    }

    private static String url(ServerCluster of) {
        return of.url().replace("://", "://" + USER + ":" + PASSWORD + "@");
    }

    private LockClient connectAsThatUser() {
        return opening(LockClient.connect(url(cluster), patient().build()));
    }

    private static Set<String> documented() {
        Set<String> rights = new TreeSet<>(MinimalAcl.commands());
        rights.addAll(MinimalAcl.commandsForClusters());
        return rights;
    }

    private static Set<String> without(String... missing) {
        Set<String> rights = documented();
        rights.removeAll(List.of(missing));
        return rights;
    }

    /** The refusals that nodes have logged, but for what the diagnosis tries. */
    private List<String> refusals() {
        List<String> refused = new ArrayList<>();
        for (RedisServer node : cluster.nodes()) {
            try (RawRedis admin = node.connect()) {
                for (Object entry : (List<?>) admin.command("ACL", "LOG")) {
                    List<?> fields = (List<?>) entry;
                    refused.add(String.valueOf(fields.get(fields.indexOf("object") + 1)));
                }
            }
        }
        refused.removeIf(command -> NOT_NEEDED.contains("+" + command));
        return refused;
    }

    private static List<String> missing(LockClient client) {
        return client.diagnose().stream()
                .filter(finding -> finding.code() == Code.MISSING_RIGHT)
                .flatMap(finding -> Stream.of(finding.remedy().split(" ", -1)))
                .filter(word -> word.startsWith("+") && !NOT_NEEDED.contains(word))
                .distinct()
                .toList();
    }

    @Test
    void thatUserCanDoEverythingWhileSlotsMoveAndPrimariesChange() throws Exception {
        user(cluster, documented());
        LockClient client = connectAsThatUser();
        LockClient other = connectAsThatUser();
        everythingWorks(client, other);

        LockHold plain = client.getLock(names.get(0)).acquire();
        LockHold fair = client.getFairLock(names.get(1)).acquire();
        LockHold read = client.getReadWriteLock(names.get(2)).readLock().acquire();
        Background<LockHold> waiter = waiting(other.getLock(names.get(0)));
        Background<LockHold> inQueue = waiting(other.getFairLock(names.get(1)));
        SlotMove move = cluster.beginMove(slot, otherThan(cluster.masterOf(slot)));
        move.moveKey(Stored.key(names.get(0)));
        plain.close();
        waiter.result().close();
        client.getLock(names.get(3)).acquire().close();
        fair.close();
        move.moveKeys();
        move.finish();
        inQueue.result().close();
        assertThat(read.state()).isEqualTo(HoldState.HELD);
        read.close();

        RedisServer next = cluster.replicaOf(cluster.masterOf(slot));
        cluster.failOver(next);
        cluster.awaitMaster(slot, next);
        everythingWorks(client, other);
        assertThat(missing(client)).isEmpty();
        assertThat(client.diagnose()).noneMatch(finding -> finding.code() == Code.UNKNOWN_RIGHTS);
        assertThat(refusals()).isEmpty();
    }

    private static Background<LockHold> waiting(RLock lock) {
        return Background.call(lock::acquire).awaitParked();
    }

    private void everythingWorks(LockClient client, LockClient other) throws Exception {
        String name = names.get(0);
        for (RLock lock : List.of(
                client.getLock(name),
                client.getFairLock(name),
                client.getReadWriteLock(name).writeLock(),
                client.getReadWriteLock(name).readLock())) {
            lock.lock();
            lock.lock();
            lock.unlock();
            assertThat(client.locks(LockQuery.all()).map(LockInfo::name)).containsExactly(name);
            lock.unlock();
        }
        LockHold hold = client.getLock(name).acquire();
        Background<LockHold> waiter = waiting(other.getLock(name));
        await().atMost(PATIENCE).until(() -> client.inspect(name).subscribedProcesses() == 1);
        hold.close();
        waiter.result().close();
        RPermitExpirableSemaphore permits = client.getPermitExpirableSemaphore(name);
        permits.setPermits(2);
        permits.release(permits.acquire(2));
        RCountDownLatch latch = client.getCountDownLatch(name);
        assertThat(latch.trySetCount(1)).isTrue();
        other.getCountDownLatch(name).countDown();
        latch.await();
        assertThat(latch.delete()).isTrue();
        long sent = client.getSignal(name).send();
        assertThat(other.getSignal(name).await(0, Duration.ofSeconds(5))).hasValue(sent);
        client.getElection(name).campaign("one", new byte[0]).close();
        try (RawRedis admin = cluster.masterOf(slot).connect()) {
            for (String left : List.of(":limit", ":signal", ":leader")) {
                admin.command("DEL", Stored.key(name) + left);
            }
        }
    }

    /** What docs/acl.md says of the rights that the nodes of today do not use. */
    @Test
    void thoseOfMessagesThatAreNotShardedAreNotUsedAtSeven() throws Exception {
        user(cluster, without("publish", "subscribe", "unsubscribe", "pubsub|numsub"));
        LockClient client = connectAsThatUser();
        everythingWorks(client, connectAsThatUser());
        assertThat(missing(client)).isEmpty();
        assertThat(refusals()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster|shards", "cluster|slots"})
    void oneOfTheTwoWaysToTheMapIsEnough(String missing) throws Exception {
        user(cluster, without(missing));
        LockClient client = connectAsThatUser();
        client.getLock(names.get(0)).acquire().close();
        assertThat(missing(client))
                .isEqualTo(missing.equals("cluster|shards") ? List.of("+cluster|shards") : List.of());
    }

    @Test
    void withoutBothWaysToTheMapThereIsNoConnection() {
        user(cluster, without("cluster|shards", "cluster|slots"));
        assertThatThrownBy(this::connectAsThatUser)
                .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.NOPERM))
                .hasMessageContaining("cluster")
                .hasMessageNotContainingAny(PASSWORD);
        LockClient lazy =
                opening(LockClient.connect(url(cluster), patient().lazy(true).build()));
        List<Finding> findings = lazy.diagnose();
        assertThat(findings)
                .filteredOn(finding -> finding.severity() == Finding.Severity.PROBLEM)
                .extracting(Finding::code)
                .contains(Code.MISSING_RIGHT, Code.UNREACHABLE);
        assertThat(missing(lazy)).contains("+cluster|shards", "+cluster|slots");
    }

    /** The reason is told to each call, and not only to the one that made the connection. */
    @Test
    void aNodeThatDoesNotKnowThePasswordIsToldOfEachTime() throws Exception {
        user(cluster, documented());
        RedisServer strict = cluster.masterOf(slot);
        try (RawRedis admin = strict.connect()) {
            admin.command("ACL", "SETUSER", USER, "resetpass", ">another");
        }
        LockClient client = connectAsThatUser();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> client.getLock(names.get(0)).tryAcquire(PATIENCE))
                    .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                            .isEqualTo(FailureReason.WRONGPASS))
                    .hasMessageContaining(cluster.addressOf(strict));
        }
        client.getLock(oneOfEach().stream()
                        .filter(name -> cluster.masterOf(slotOf(name)) != strict)
                        .findFirst()
                        .orElseThrow())
                .acquire()
                .close();
    }

    @Test
    void withoutAskingCallsForAKeyThatHasMovedSayThatItIsMissing() throws Exception {
        user(cluster, without("asking"));
        LockClient client = connectAsThatUser();
        LockHold hold = client.getLock(names.get(0)).acquire();
        SlotMove move = cluster.beginMove(slot, otherThan(cluster.masterOf(slot)));
        move.moveKey(Stored.key(names.get(0)));
        assertThatThrownBy(() -> connectAsThatUser().getLock(names.get(0)).tryLock(1, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.NOPERM))
                .hasMessageContaining("asking");
        move.moveKeys();
        move.finish();
        assertThat(missing(client)).containsExactly("+asking");
        hold.close();
    }

    @Test
    void withoutSubscribingTheLogSaysSoAndWaitersLook() throws Exception {
        user(cluster, without("ssubscribe"));
        LockClient client = connectAsThatUser();
        LockClient other = connectAsThatUser();
        LockHold hold = client.getLock(names.get(0)).acquire();
        try (LibraryLog log = new LibraryLog()) {
            Background<LockHold> waiter = waiting(other.getLock(names.get(0)));
            await().atMost(PATIENCE)
                    .until(() -> !log.lines("does not allow to subscribe to").isEmpty()
                            && !log.lines("no messages arrive about lock").isEmpty());
            hold.close();
            waiter.result().close();
        }
        assertThat(missing(client)).contains("+ssubscribe");
    }

    @Test
    void withoutPublishingWaitersOfOthersLook() throws Exception {
        user(cluster, without("spublish"));
        LockClient client = connectAsThatUser();
        LockClient other = connectAsThatUser();
        LockHold hold = client.getLock(names.get(0)).acquire();
        Background<LockHold> waiter = waiting(other.getLock(names.get(0)));
        await().atMost(PATIENCE).until(() -> client.inspect(names.get(0)).subscribedProcesses() == 1);
        hold.close();
        waiter.result().close();
        assertThat(missing(client)).contains("+spublish");
    }

    @Test
    void withoutUnsubscribingSubscriptionsStayUntilTheClientIsClosed() throws Exception {
        user(cluster, without("sunsubscribe"));
        LockClient client = connectAsThatUser();
        LockClient other = connectAsThatUser();
        LockHold hold = client.getLock(names.get(0)).acquire();
        Background<LockHold> waiter = waiting(other.getLock(names.get(0)));
        await().atMost(PATIENCE).until(() -> client.inspect(names.get(0)).subscribedProcesses() == 1);
        hold.close();
        waiter.result().close();
        await().atMost(PATIENCE).until(() -> refusals().contains("sunsubscribe"));
        assertThat(client.inspect(names.get(0)).subscribedProcesses()).isEqualTo(1);
        other.close();
        await().atMost(PATIENCE).until(() -> client.inspect(names.get(0)).subscribedProcesses() == 0);
        assertThat(missing(client)).containsExactly("+sunsubscribe");
    }

    @Test
    void withoutCountingInspectTellsOfNoWaiter() throws Exception {
        user(cluster, without("pubsub|shardnumsub"));
        LockClient client = connectAsThatUser();
        try (LockHold hold = client.getLock(names.get(0)).acquire()) {
            Background<LockHold> waiter = waiting(connectAsThatUser().getLock(names.get(0)));
            assertThat(client.inspect(names.get(0)).subscribedProcesses()).isZero();
            hold.close();
            waiter.result().close();
        }
        assertThat(missing(client)).containsExactly("+pubsub|shardnumsub");
    }

    /** They know no sharded messages, and one way to the map. */
    @Test
    void nodesOfBeforeSevenNeedTwoRightsMore() throws Exception {
        Set<String> rights = new TreeSet<>(MinimalAcl.commands());
        rights.addAll(MinimalAcl.commandsForOldClusters());
        try (ServerCluster old = ServerCluster.builder()
                .masters(3)
                .replicas(0)
                .source(RedisSource.OLDEST)
                .start()) {
            user(old, rights);
            try (LockClient client =
                            LockClient.connect(url(old), Clients.quick().build());
                    LockClient other =
                            LockClient.connect(url(old), Clients.quick().build())) {
                LockHold hold = client.getLock(names.get(0)).acquire();
                Background<LockHold> waiter = waiting(other.getLock(names.get(0)));
                await().atMost(PATIENCE)
                        .until(() -> client.inspect(names.get(0)).subscribedProcesses() == 1);
                SlotMove move = old.beginMove(
                        slot,
                        old.masters().get(old.masterOf(slot) == old.masters().get(0) ? 1 : 0));
                move.moveKey(Stored.key(names.get(0)));
                hold.close();
                waiter.result().close();
                move.moveKeys();
                move.finish();
                assertThat(missing(client)).isEmpty();
                assertThat(client.diagnose())
                        .filteredOn(finding -> finding.code() == Code.CLUSTER_NODE)
                        .hasSize(3)
                        .allSatisfy(finding -> assertThat(finding.seen()).contains("messages that are not sharded"));
            }
        }
    }
}
