package io.holdfast.lock.engine.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Move;
import io.holdfast.lock.spi.ServerReport.Share;
import io.holdfast.lock.spi.ServerReport.Verdict;
import io.holdfast.lock.spi.Survey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is a finding in what the primaries of a cluster say. No server is there. */
class ClusterFindingsTest {

    private static final Reliance CLUSTER =
            new Reliance(NamesInUse.of(LockOptions.defaults()), 30_000, false, true, 0, false, false);

    private static final List<Move> NO_MOVES = List.of();

    @Test
    void aHealthyClusterIsToldInNotesOfEachNodeAndOfTheWhole() {
        List<Finding> findings = judge(node("h:1").slots(0, 8_191), node("h:2").slots(8_192, 16_383));
        assertThat(findings)
                .filteredOn(finding -> finding.code() == Code.CLUSTER_NODE)
                .extracting(Finding::node)
                .containsExactly("h:1", "h:2");
        assertThat(of(Code.CLUSTER_NODE, findings).seen())
                .isEqualTo("Version 7.2.11, 8192 slots, 1 replica, sharded messages, an append-only file,"
                        + " maxmemory-policy noeviction");
        assertThat(of(Code.CLUSTER, findings).seen())
                .isEqualTo("16384 of 16384 slots have a primary, at 2 nodes; none is being moved; each was reached");
        assertThat(findings)
                .filteredOn(finding -> finding.severity() != Severity.NOTE)
                .extracting(Finding::code)
                .containsExactlyInAnyOrder(Code.REPLICAS_NOT_WAITED_FOR, Code.MIN_REPLICAS_UNSET);
    }

    @Test
    void theSameAtSeveralNodesIsOneFinding() {
        Finding finding = of(
                Code.REPLICAS_NOT_WAITED_FOR,
                judge(node("h:1").slots(0, 8_191), node("h:2").slots(8_192, 16_383)));
        assertThat(finding.node()).isEqualTo("h:1, h:2");
    }

    @Test
    void aNodeOfBeforeSevenHasMessagesThatGoEverywhere() {
        List<Finding> findings =
                judge(node("h:1").slots(0, 16_383).info("redis_version", "6.2.20", "aof_enabled", "0"));
        assertThat(of(Code.CLUSTER_NODE, findings).seen())
                .contains("6.2.20", "messages that are not sharded", "no append-only file");
        assertThat(of(Code.CLUSTER_NODE, findings).consequence())
                .contains("to all nodes", "a restart forgets its locks");
    }

    @Test
    void slotsWithoutAPrimaryAreAProblem() {
        Finding finding = of(
                Code.SLOTS_UNCOVERED,
                judge(node("h:1").slots(1, 99).slots(200, 200), node("h:2").slots(202, 16_383)));
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.seen()).isEqualTo("102 slots have no primary: 0, 100-199, 201");
        assertThat(of(Code.SLOTS_UNCOVERED, judge(node("h:1").slots(0, 16_382))).seen())
                .isEqualTo("1 slot has no primary: 16383");
        Node gaps = node("h:1");
        for (int slot = 1; slot < 16_384; slot += 2) {
            gaps.slots(slot, slot);
        }
        assertThat(of(Code.SLOTS_UNCOVERED, judge(gaps)).seen()).endsWith(": 0, 2, 4, 6, 8, and 8187 ranges more");
    }

    @Test
    void aMoveIsToldOfByBothItsNodesAsOne() {
        List<Finding> findings = judge(
                node("h:1").slots(0, 8_191).moves(new Move(7, true, "h:2"), new Move(8, true, "h:2")),
                node("h:2").slots(8_192, 16_383).moves(new Move(7, false, "h:1"), new Move(8, false, "h:1")));
        Finding finding = of(Code.SLOTS_MOVING, findings);
        assertThat(finding.severity()).isEqualTo(Severity.NOTE);
        assertThat(finding.node()).isEqualTo("h:1, h:2");
        assertThat(finding.seen()).isEqualTo("2 slots are being moved from h:1 to h:2: 7-8");
        assertThat(of(Code.CLUSTER, findings).seen()).doesNotContain("none is being moved");
    }

    @Test
    void aMoveThatOneOfItsNodesKnowsNothingOfIsAWarning() {
        List<Finding> findings = judge(
                node("h:1").slots(0, 8_191).moves(new Move(7, true, "h:2")),
                node("h:2").slots(8_192, 16_383).moves(new Move(9, false, "h:1")));
        assertThat(findings)
                .filteredOn(finding -> finding.code() == Code.SLOTS_MOVING)
                .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING))
                .extracting(Finding::seen)
                .containsExactly(
                        "1 slot is being moved from h:1 to h:2, as the first says: 7; the other knows nothing of it",
                        "1 slot is being moved from h:1 to h:2, as the second says: 9; the other knows nothing of it");
    }

    @Test
    void aNodeThatMayNotBeAskedForMovesContradictsNone() {
        List<Finding> findings = judge(
                node("h:1").slots(0, 8_191).moves(new Move(7, true, "h:2")),
                node("h:2").slots(8_192, 16_383).tellingNoMoves());
        assertThat(of(Code.SLOTS_MOVING, findings).severity()).isEqualTo(Severity.NOTE);
        assertThat(of(Code.CLUSTER, findings).seen()).contains("whether a slot is being moved is not known of h:2");
    }

    @Test
    void failedNodesAreAProblemIfTheyHaveSlotsAndAWarningElse() {
        List<Finding> findings = judge(
                node("h:1").slots(0, 8_191).failing("h:2", "h:9"),
                node("h:2").slots(8_192, 16_383).failed().silent());
        assertThat(findings)
                .filteredOn(finding -> finding.code() == Code.NODE_FAILED)
                .extracting(finding -> finding.severity() + " " + finding.node())
                .containsExactly("PROBLEM h:2", "WARNING h:9");
        Finding unreachable = of(Code.UNREACHABLE, findings);
        assertThat(unreachable.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(unreachable.consequence())
                .isEqualTo(
                        "Locks of its 8192 slots can't be acquired, renewed or released; those of other nodes go on");
        assertThat(of(Code.CLUSTER, findings).seen()).endsWith("not reached: h:2");
    }

    @Test
    void aNodeThatFindsTheClusterDownIsAProblem() {
        Finding finding =
                of(Code.CLUSTER_DOWN, judge(node("h:1").slots(0, 16_383).info("cluster_state", "fail")));
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(judge(node("h:1").slots(0, 16_383).info("cluster_state", "ok")))
                .noneMatch(found -> found.code() == Code.CLUSTER_DOWN);
    }

    @Test
    void aPrimaryWithoutAReplicaIsAWarning() {
        Finding finding = of(Code.NO_REPLICA, judge(node("h:1").slots(0, 16_383).info("connected_slaves", "0")));
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    }

    @Test
    void withoutAMapNothingIsSaidOfSlots() {
        ServerReport noMap = ServerReport.unreachable(
                "the cluster",
                new Fault(Kind.NOPERM, false, "h:1", "no permission"),
                new Share(List.of(), false, null, List.of()));
        List<Finding> findings =
                Findings.of(CLUSTER, "the cluster", List.of(node("h:1").report(), noMap));
        assertThat(findings).noneMatch(finding -> List.of(Code.SLOTS_UNCOVERED, Code.CLUSTER)
                .contains(finding.code()));
        Finding finding = of(Code.UNREACHABLE, findings);
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.node()).isEqualTo("the cluster");
        assertThat(of(Code.CLUSTER_NODE, findings).seen()).doesNotContain("slots");
    }

    // --- rights ---

    @ParameterizedTest
    @CsvSource({
        "spublish, WARNING",
        "ssubscribe, WARNING",
        "sunsubscribe, NOTE",
        "pubsub|shardnumsub, NOTE",
        "asking, WARNING",
        "cluster|shards, NOTE",
        "cluster|info, NOTE",
        "cluster|nodes, NOTE"
    })
    void eachRightOfAClusterIsAsked(String right, Severity severity) {
        Finding finding =
                of(Code.MISSING_RIGHT, judge(node("h:1").slots(0, 16_383).right(right, Verdict.DENIED)));
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.remedy()).contains("+" + right);
        if (right.equals("spublish") || right.equals("ssubscribe")) {
            assertThat(finding.remedy()).contains("&holdfast:*");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "7.0.15, publish",
        "7.0.15, subscribe",
        "7.0.15, unsubscribe",
        "7.0.15, pubsub|numsub",
        "7.0.15, cluster|slots",
        "6.2.14, spublish",
        "6.2.14, ssubscribe",
        "6.2.14, sunsubscribe",
        "6.2.14, pubsub|shardnumsub",
        "6.2.14, cluster|shards"
    })
    void whatIsNotUsedAtAVersionIsNotMissed(String version, String right) {
        assertThat(judge(node("h:1")
                        .slots(0, 16_383)
                        .info("redis_version", version)
                        .right(right, Verdict.DENIED)))
                .noneMatch(finding -> finding.code() == Code.MISSING_RIGHT);
    }

    /** A server of before 7.0 tries CLUSTER SHARDS, does not know it, and so does not refuse it. */
    @ParameterizedTest
    @CsvSource({"7.0.15, DENIED", "6.2.14, ALLOWED"})
    void withoutAWayToTheMapNoLockCanBeAcquired(String version, Verdict shards) {
        Finding finding = of(
                Code.MISSING_RIGHT,
                judge(node("h:1")
                        .slots(0, 16_383)
                        .info("redis_version", version)
                        .right("cluster|shards", shards)
                        .right("cluster|slots", Verdict.DENIED)));
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.remedy()).contains("+cluster|shards +cluster|slots");
    }

    /** A node runs a script with keys of its own slots only. */
    @ParameterizedTest
    @EnumSource(KeyScheme.class)
    void theNamesThatANodeIsAskedWithAreInItsSlot(KeyScheme scheme) {
        NamesInUse names = NamesInUse.of(
                LockOptions.builder().keyScheme(scheme).prefix("shop").build());
        for (int slot : new int[] {0, 77, 16_383}) {
            Survey.Names in = names.in(slot);
            assertThat(Stream.concat(in.keys().stream(), Stream.of(in.channel()))
                            .map(key -> Slots.of(key.getBytes(StandardCharsets.UTF_8))))
                    .containsOnly(slot);
        }
        assertThat(names.areAll()).isEqualTo(scheme == KeyScheme.HOLDFAST);
    }

    private static List<Finding> judge(Node... nodes) {
        return Findings.of(
                CLUSTER, "h:1,h:2", Stream.of(nodes).map(Node::report).toList());
    }

    private static Finding of(Code code, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.code() == code)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + code + " in " + findings));
    }

    private static Node node(String name) {
        return new Node(name);
    }

    /** A primary that is set up well, but for what a test says. */
    private static final class Node {

        private final String name;
        private final Map<String, String> info = new HashMap<>(Map.of(
                "redis_version", "7.2.11",
                "redis_mode", "cluster",
                "role", "master",
                "connected_slaves", "1",
                "maxmemory_policy", "noeviction",
                "aof_enabled", "1",
                "cluster_state", "ok"));
        private final Map<String, Verdict> rights = new HashMap<>();
        private final List<ServerReport.Slots> slots = new ArrayList<>();
        private @Nullable List<Move> moves = NO_MOVES;
        private List<String> failing = List.of();
        private boolean failed;
        private boolean silent;

        Node(String name) {
            this.name = name;
            Rights.ALL.forEach(right -> rights.put(right.name(), Verdict.ALLOWED));
            rights.put(Rights.RUN, Verdict.ALLOWED);
        }

        Node slots(int first, int last) {
            slots.add(new ServerReport.Slots(first, last));
            return this;
        }

        Node info(String... changes) {
            for (int i = 0; i < changes.length; i += 2) {
                info.put(changes[i], changes[i + 1]);
            }
            return this;
        }

        Node right(String right, Verdict verdict) {
            rights.put(right, verdict);
            return this;
        }

        Node moves(Move... all) {
            moves = List.of(all);
            return this;
        }

        Node tellingNoMoves() {
            moves = null;
            return this;
        }

        Node failing(String... others) {
            failing = List.of(others);
            return this;
        }

        Node failed() {
            failed = true;
            return this;
        }

        Node silent() {
            silent = true;
            moves = null;
            return this;
        }

        ServerReport report() {
            Share share = new Share(slots, failed, moves, failing);
            return silent
                    ? ServerReport.unreachable(
                            name, new Fault(Kind.UNREACHABLE, false, name, "Connection refused"), share)
                    : new ServerReport(name, null, info, Map.of("lua-time-limit", "5000"), rights, null, share);
        }
    }
}
