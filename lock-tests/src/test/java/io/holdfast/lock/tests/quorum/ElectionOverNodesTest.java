package io.holdfast.lock.tests.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.Leader;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.TermEnd;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elections over three servers that fail (rule 66): all that is told of a leader is what a majority tells of it. */
@RedisTest(servers = 3, freshPerTest = true)
class ElectionOverNodesTest extends QuorumTest {

    private static final String RECORD = Stored.key(NAME) + ":leader";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final LockOptions WATCHED =
            LockOptions.builder().watchdogLease(Duration.ofMillis(1_500)).build();
    private static final QuorumOptions GUARDED =
            PATIENT.toBuilder().longestLease(Duration.ofSeconds(2)).build();

    private final List<Optional<Leader>> seen = new CopyOnWriteArrayList<>();
    private List<FaultProxy> proxies;
    private LeaderElection election;
    private LeaderElection same;

    @BeforeEach
    void connectClients() throws Exception {
        proxies = proxies();
        election = warm(connectQuorum(urlsOf(proxies), GUARDED)).getElection(NAME, WATCHED);
        same = connectQuorum(urls(), GUARDED).getElection(NAME, WATCHED);
    }

    /** What a leader leaves behind is gone in an hour. */
    @AfterEach
    void forgetRecords() {
        servers.stream().filter(RedisServer::isAlive).forEach(server -> {
            try (RawRedis node = server.connect()) {
                node.command("DEL", RECORD);
            }
        });
    }

    @Test
    void aLeaderAndItsObserversGoOnWithoutAMinority() throws Exception {
        same.observe(seen::add);
        Leadership first = election.campaign("1", bytes("a"));
        awaitSeen("1 a");
        servers.get(0).kill();
        first.setValue(bytes("b"));
        awaitSeen("1 b");
        assertThat(same.leader()).map(Leader::term).contains(first.term());
        Background<Leadership> waiting = Background.call(() -> same.campaign("2", bytes("c")));
        first.resign();
        try (Leadership next = waiting.result()) {
            awaitSeen("2 c");
            assertThat(next.term()).isGreaterThan(first.fencingToken());
        }
        awaitSeen("nobody");
        assertThat(terms()).isSorted();
    }

    @Test
    @Tag("proof")
    void withoutAMajorityTheLeaderHearsOfItsLossAndNoObserver() throws Exception {
        same.observe(seen::add);
        Leadership leadership = election.campaign("1", bytes("a"));
        awaitSeen("1 a");
        servers.get(0).kill();
        servers.get(1).kill();
        assertThat(Futures.get(leadership.ended().toCompletableFuture())).isEqualTo(TermEnd.LOST);
        assertThatThrownBy(same::leader)
                .isInstanceOfSatisfying(LockUnavailableException.class, unknown -> assertThat(unknown.reason())
                        .isEqualTo(FailureReason.NO_MAJORITY));
        awaitLooksOfAFreeLock();
        assertThat(shown(last())).as("what is not known is not told").isEqualTo("1 a");
        servers.get(0).restart();
        awaitSeen("nobody");
    }

    /** The last server has been asked several times since its lease was over: up to two seconds pass between two looks. */
    private void awaitLooksOfAFreeLock() {
        eventually(() -> assertThat(keepers(servers.stream().skip(2), NAME)).isZero());
        long before = raws.get(2).calls("evalsha");
        eventually(LONG, () -> assertThat(raws.get(2).calls("evalsha")).isGreaterThan(before + 3));
    }

    /** A release that one server missed leaves a lock and a record there, which name the leader before. */
    @Test
    void whatIsLeftAtOneServerIsNoLeader() throws Exception {
        same.observe(seen::add);
        LeaderElection longer = connectQuorum(urlsOf(proxies), PATIENT).getElection(NAME);
        Leadership first = longer.campaign("1", bytes("a"));
        awaitSeen("1 a");
        eventually(() -> assertThat(raws.get(2).text("HGET", RECORD, "id")).isEqualTo("1"));
        proxies.get(2).refuse();
        proxies.get(2).cutAll();
        first.resign();
        awaitSeen("nobody");
        assertThat(raws.get(2).integer("PTTL", Stored.key(NAME))).isPositive();
        try (Leadership next = same.campaign("2", bytes("b"))) {
            awaitSeen("2 b");
            assertThat(same.leader()).map(Leader::term).contains(next.term());
        }
        awaitSeen("nobody");
        assertThat(seen).extracting(ElectionOverNodesTest::shown).containsSubsequence("1 a", "nobody", "2 b", "nobody");
        assertThat(terms()).isSorted();
        proxies.get(2).heal();
    }

    /** Whether candidates resign, or are cut off from a server: a term has one leader, and all see terms in their order. */
    @Tag("proof")
    @Test
    void allObserversSeeOneLeaderForEachTermInOrder() throws Exception {
        Map<Long, String> leaders = new ConcurrentHashMap<>();
        List<List<Long>> orders = new ArrayList<>();
        for (LeaderElection each : List.of(election, same)) {
            List<Long> order = new CopyOnWriteArrayList<>();
            orders.add(order);
            each.observe(leader -> leader.ifPresent(told -> {
                order.add(told.term());
                String other = leaders.putIfAbsent(told.term(), told.id());
                assertThat(other).isIn(null, told.id());
                if (other != null && !other.equals(told.id())) {
                    leaders.put(-1L, told.id() + " and " + other);
                }
            }));
        }
        List<Background<Boolean>> candidates = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LeaderElection where = i % 2 == 0 ? election : same;
            String id = "candidate " + i;
            candidates.add(Background.run(() -> {
                for (int term = 0; term < 3; term++) {
                    Leadership leadership = where.campaign(id, bytes(id));
                    assertThat(where.leader().map(Leader::term).orElseThrow()).isEqualTo(leadership.term());
                    leadership.resign();
                }
            }));
        }
        proxies.get(1).cutAll();
        for (Background<Boolean> candidate : candidates) {
            candidate.result(LONG);
        }
        assertThat(leaders).doesNotContainKey(-1L);
        assertThat(orders).allSatisfy(order -> assertThat(order).isSorted().isNotEmpty());
    }

    @Test
    @Tag("proof")
    void aServerRestartedEmptyMakesNoLeaderAndGetsTheRecordAgain() throws Exception {
        same.observe(seen::add);
        Leadership leadership = election.campaign("1", bytes("a"));
        awaitKeepers(3);
        awaitSeen("1 a");
        servers.get(2).kill();
        servers.get(2).restart();
        LockClient late = connectQuorum(urls(), GUARDED);
        assertThat(late.getElection(NAME, WATCHED).campaign("2", bytes("b"), Duration.ofMillis(500)))
                .isEmpty();
        assertThat(same.leader()).map(Leader::id).contains("1");
        eventually(LONG, () -> {
            try (RawRedis node = servers.get(2).connect()) {
                assertThat(node.text("HGET", RECORD, "id")).isEqualTo("1");
            }
        });
        servers.get(0).kill();
        assertThat(same.leader()).map(Leader::term).contains(leadership.term());
        assertThat(leadership.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
        assertThat(seen).extracting(ElectionOverNodesTest::shown).containsExactly("nobody", "1 a");
        leadership.resign();
        awaitSeen("nobody");
    }

    // --- what was seen ---

    private void awaitSeen(String what) {
        eventually(() -> assertThat(seen).isNotEmpty());
        eventually(() -> assertThat(shown(last())).isEqualTo(what));
    }

    private Optional<Leader> last() {
        return seen.get(seen.size() - 1);
    }

    private static String shown(Optional<Leader> leader) {
        return leader.map(told -> told.id() + ' ' + new String(told.value(), UTF_8))
                .orElse("nobody");
    }

    private List<Long> terms() {
        return seen.stream().flatMap(Optional::stream).map(Leader::term).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
