package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Move;
import io.holdfast.lock.spi.ServerReport.Share;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How a cluster stands, and each of its primaries: which slots have none, which are being moved, which nodes are failed, and what
 * every primary is like. Where nothing is wrong that is said, too, since an operator has no other place to see it.
 */
final class ClusterFindings {

    /** So many ranges are named; of more, how many there are. */
    private static final int MOST_RANGES = 5;

    private static final String NOTHING_TO_DO = "Nothing has to be done";

    private final String cluster;
    private final List<ServerReport> nodes;
    private final Findings findings;

    private ClusterFindings(String cluster, List<ServerReport> nodes, Findings findings) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.findings = findings;
    }

    /** @param cluster the cluster as the client names it */
    static void of(String cluster, List<ServerReport> reports, Findings findings) {
        ClusterFindings judge = new ClusterFindings(
                cluster,
                reports.stream().filter(report -> report.share() != null).toList(),
                findings);
        judge.uncovered();
        judge.failed();
        judge.moves();
        judge.nodes.forEach(judge::node);
        judge.whole();
    }

    private static Share share(ServerReport report) {
        Share share = report.share();
        if (share == null) {
            throw new IllegalArgumentException(Printable.of(report.node()) + " (expected: a node of a cluster)");
        }
        return share;
    }

    // --- slots ---

    private BitSet covered() {
        BitSet covered = new BitSet(Slots.COUNT);
        nodes.forEach(node -> share(node).slots().forEach(range -> covered.set(range.first(), range.last() + 1)));
        return covered;
    }

    private void uncovered() {
        BitSet without = covered();
        if (without.isEmpty()) {
            // There is no map, and what keeps the client from one is found where it asked.
            return;
        }
        without.flip(0, Slots.COUNT);
        if (!without.isEmpty()) {
            findings.add(
                    Code.SLOTS_UNCOVERED,
                    Severity.PROBLEM,
                    cluster,
                    slots(without.cardinality()) + (without.cardinality() == 1 ? " has" : " have") + " no primary: "
                            + ranges(without),
                    "No lock of such a slot can be acquired, renewed or released, and none of the whole cluster unless"
                            + " cluster-require-full-coverage is no",
                    "Bring back the node that had them, or give them to another one (redis-cli --cluster fix)");
        }
    }

    /** What is said of a move at one end, and at the other. */
    private record Way(String from, String to) {}

    /** Of each pair of nodes, the slots that the first says it gives, and those that the second says it gets. */
    private void moves() {
        Map<Way, BitSet> given = new LinkedHashMap<>();
        Map<Way, BitSet> taken = new LinkedHashMap<>();
        for (ServerReport node : nodes) {
            List<Move> moves = share(node).moves();
            for (Move move : moves == null ? List.<Move>of() : moves) {
                Way way = move.away() ? new Way(node.node(), move.other()) : new Way(move.other(), node.node());
                (move.away() ? given : taken)
                        .computeIfAbsent(way, first -> new BitSet())
                        .set(move.slot());
            }
        }
        Set<Way> ways = new LinkedHashSet<>(given.keySet());
        ways.addAll(taken.keySet());
        for (Way way : ways) {
            BitSet atSource = given.getOrDefault(way, new BitSet());
            BitSet atTarget = taken.getOrDefault(way, new BitSet());
            BitSet both = (BitSet) atSource.clone();
            both.and(atTarget);
            moving(way, both, "", true);
            atSource.andNot(both);
            moving(way, atSource, ", as the first says", !tells(way.to));
            atTarget.andNot(both);
            moving(way, atTarget, ", as the second says", !tells(way.from));
        }
    }

    /** Whether a node has said which slots are being moved. */
    private boolean tells(String node) {
        return nodes.stream()
                .anyMatch(report -> report.node().equals(node) && share(report).moves() != null);
    }

    /**
     * @param said which of the two says so; empty for both
     * @param agreed whether the other node says the same, or may do
     */
    private void moving(Way way, BitSet slots, String said, boolean agreed) {
        if (slots.isEmpty()) {
            return;
        }
        findings.add(
                Code.SLOTS_MOVING,
                agreed ? Severity.NOTE : Severity.WARNING,
                way.from + ", " + way.to,
                slots(slots.cardinality()) + (slots.cardinality() == 1 ? " is" : " are") + " being moved from "
                        + way.from + " to " + way.to + said + ": " + ranges(slots)
                        + (agreed ? "" : "; the other knows nothing of it"),
                "What is held there stays held, and plain locks go on; fair and read/write locks and permits are not granted"
                        + " before the move ends",
                agreed
                        ? "Let the move end; redis-cli --cluster fix ends one that was left"
                        : "End the move (redis-cli --cluster fix)");
    }

    // --- nodes ---

    private void failed() {
        Set<String> others = new LinkedHashSet<>();
        for (ServerReport node : nodes) {
            if (share(node).failed()) {
                findings.add(
                        Code.NODE_FAILED,
                        Severity.PROBLEM,
                        node.node(),
                        "Most primaries call this one failed, and no replica has taken its place",
                        "Locks of its " + slots(share(node).size())
                                + " can't be acquired, renewed or released until one has, or the node is back",
                        "Start the node, or promote a replica of it (CLUSTER FAILOVER TAKEOVER)");
            }
            others.addAll(share(node).failedNodes());
        }
        nodes.forEach(node -> others.remove(node.node()));
        if (!others.isEmpty()) {
            boolean one = others.size() == 1;
            findings.add(
                    Code.NODE_FAILED,
                    Severity.WARNING,
                    String.join(", ", others),
                    one ? "The node is failed, and has no slots" : "The nodes are failed, and have no slots",
                    one ? "As a replica it takes no primary's place" : "As replicas they take no primary's place",
                    one
                            ? "Start it, or have all others forget it (CLUSTER FORGET)"
                            : "Start those that are wanted, and have all others forget the rest (CLUSTER FORGET)");
        }
    }

    private void node(ServerReport report) {
        if (report.info().isEmpty()) {
            return;
        }
        String state = report.info("cluster_state");
        if (!state.isEmpty() && !state.equals("ok")) {
            findings.add(
                    Code.CLUSTER_DOWN,
                    Severity.PROBLEM,
                    report.node(),
                    "The node finds the cluster down (cluster_state " + Printable.of(state) + ")",
                    "It refuses all calls with CLUSTERDOWN",
                    "Look at the other findings, and into the node's log: slots have no primary, or most primaries are out of"
                            + " its reach");
        }
        if (report.info("role").equals("master")) {
            replicas(report);
            facts(report);
        }
    }

    private void replicas(ServerReport report) {
        if (share(report).size() > 0 && report.info("connected_slaves").equals("0")) {
            findings.add(
                    Code.NO_REPLICA,
                    Severity.WARNING,
                    report.node(),
                    "The primary has no replica",
                    "If the node fails, no lock of its slots can be acquired, renewed or released until it is back",
                    "Give it a replica (CLUSTER REPLICATE)");
        }
    }

    private void facts(ServerReport report) {
        boolean keeps = report.info("aof_enabled").equals("1");
        long replicas = Numbers.of(report.info("connected_slaves"));
        List<String> facts = new ArrayList<>();
        facts.add("Version " + Printable.of(version(report)));
        if (share(report).size() > 0) {
            facts.add(slots(share(report).size()));
        }
        facts.add(replicas + (replicas == 1 ? " replica" : " replicas"));
        facts.add(Findings.shardsMessages(report) ? "sharded messages" : "messages that are not sharded");
        facts.add(keeps ? "an append-only file" : "no append-only file");
        facts.add("maxmemory-policy " + Printable.of(report.info("maxmemory_policy")));
        findings.add(
                Code.CLUSTER_NODE,
                Severity.NOTE,
                report.node(),
                String.join(", ", facts),
                (Findings.shardsMessages(report)
                                ? "Messages of its locks are told at the node alone"
                                : "Messages of its locks go to all nodes")
                        + (keeps ? "" : "; a restart forgets its locks, unless a replica takes its place first"),
                NOTHING_TO_DO);
    }

    private static String version(ServerReport report) {
        String valkey = report.info("valkey_version");
        return valkey.isEmpty() ? report.info("redis_version") : "Valkey " + valkey;
    }

    // --- the whole ---

    private void whole() {
        int covered = covered().cardinality();
        if (covered == 0) {
            return;
        }
        List<String> primaries = named(report -> share(report).size() > 0);
        List<String> silent = named(report -> report.unreachable() != null);
        List<String> secretive =
                named(report -> report.unreachable() == null && share(report).moves() == null);
        long moving = nodes.stream()
                .filter(report -> {
                    List<Move> moves = share(report).moves();
                    return moves != null && !moves.isEmpty();
                })
                .count();
        List<String> facts = new ArrayList<>();
        facts.add(covered + " of " + Slots.COUNT + " slots have a primary, at " + primaries.size()
                + (primaries.size() == 1 ? " node" : " nodes"));
        if (!secretive.isEmpty()) {
            facts.add("whether a slot is being moved is not known of " + String.join(", ", secretive));
        } else if (moving == 0 && silent.isEmpty()) {
            facts.add("none is being moved");
        }
        facts.add(silent.isEmpty() ? "each was reached" : "not reached: " + String.join(", ", silent));
        findings.add(
                Code.CLUSTER,
                Severity.NOTE,
                cluster,
                String.join("; ", facts),
                "Each lock is at the primary of its slot, and a fault of one node concerns the locks of its slots",
                NOTHING_TO_DO);
    }

    private List<String> named(Predicate<ServerReport> which) {
        return nodes.stream().filter(which).map(ServerReport::node).toList();
    }

    // --- words ---

    /** How many slots, in words. */
    static String slots(int count) {
        return count + (count == 1 ? " slot" : " slots");
    }

    private static String ranges(BitSet slots) {
        List<String> ranges = new ArrayList<>();
        int count = 0;
        for (int first = slots.nextSetBit(0); first >= 0; ) {
            int end = slots.nextClearBit(first);
            if (count++ < MOST_RANGES) {
                ranges.add(end == first + 1 ? String.valueOf(first) : first + "-" + (end - 1));
            }
            first = slots.nextSetBit(end);
        }
        return String.join(", ", ranges)
                + (count > MOST_RANGES ? ", and " + (count - MOST_RANGES) + " ranges more" : "");
    }
}
