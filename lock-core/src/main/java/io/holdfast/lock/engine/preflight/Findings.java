package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Share;
import io.holdfast.lock.spi.ServerReport.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is a finding in the reports of all servers of a client, the worst first. */
final class Findings {

    private static final long FIRST_WITH_SHARDED_MESSAGES = 7;

    /** What is mostly wrong where others name the server, and its address is one of their network. */
    private static final String ANNOUNCED =
            "; if Sentinels or nodes announce an address that this client can't reach, use the option addressMapper";

    private final List<Finding> all = new ArrayList<>();

    private Findings() {}

    /** @param node the servers as the client names them */
    static List<Finding> of(Reliance reliance, String node, List<ServerReport> reports) {
        Findings findings = new Findings();
        if (reports.isEmpty()) {
            findings.add(
                    Code.NOT_ASKED,
                    Severity.NOTE,
                    node,
                    "The transport has no way to ask its servers",
                    "How they are set up is not known",
                    "Check them by hand");
        }
        boolean locksGoOn = locksGoOn(reliance, reports);
        for (ServerReport report : reports) {
            Fault fault = report.unreachable();
            if (fault != null) {
                findings.unreachable(reliance, report, fault, locksGoOn);
            }
            // A server that fell silent half-way has said something.
            if (isSentinel(report)) {
                findings.sentinel(reliance, report);
            } else if (fault == null || !report.info().isEmpty()) {
                RightFindings.of(reliance, report, findings);
                SetupFindings.of(reliance, report, findings);
                KnownHoles.of(report, findings);
            }
        }
        GroupFindings.of(reliance, reports, findings);
        List<Finding> all = findings.all;
        if (reports.stream().anyMatch(report -> report.share() != null)) {
            ClusterFindings.of(node, reports, findings);
            all = together(all);
        }
        all.sort(Comparator.comparing(Finding::severity));
        return List.copyOf(all);
    }

    /** The same found at several nodes of a cluster is said once. What each node is like is said of each. */
    private static List<Finding> together(List<Finding> each) {
        Map<List<Object>, List<Finding>> alike = new LinkedHashMap<>();
        for (Finding finding : each) {
            Object what = finding.code() == Code.CLUSTER_NODE ? finding : finding.code();
            alike.computeIfAbsent(
                            List.of(what, finding.severity(), finding.seen(), finding.consequence(), finding.remedy()),
                            first -> new ArrayList<>())
                    .add(finding);
        }
        return alike.values().stream().map(Findings::joined).collect(Collectors.toCollection(ArrayList::new));
    }

    private static Finding joined(List<Finding> alike) {
        Finding first = alike.get(0);
        String nodes = alike.stream().map(Finding::node).distinct().collect(Collectors.joining(", "));
        return new Found(first.code(), first.severity(), nodes, first.seen(), first.consequence(), first.remedy());
    }

    void add(Code code, Severity severity, String node, String seen, String consequence, String remedy) {
        all.add(new Found(code, severity, node, seen, consequence, remedy));
    }

    /** Whether those that answered are enough for locks. One that does not say what it is may be the primary. */
    private static boolean locksGoOn(Reliance reliance, List<ServerReport> reports) {
        long useful = reports.stream()
                .filter(report -> report.unreachable() == null && !isSentinel(report))
                .filter(report -> !report.info("role").equals("slave"))
                .count();
        return useful > (reliance.overQuorum() ? reports.size() / 2 : 0);
    }

    /** A server that refuses the client for good is a problem beside healthy ones, too: one day it is the one. */
    private void unreachable(Reliance reliance, ServerReport report, Fault fault, boolean othersGrant) {
        Share share = report.share();
        boolean hasSlots = share != null && share.size() > 0;
        boolean locksGoOn = othersGrant && !hasSlots;
        boolean isFull = fault.kind() == Fault.Kind.MAXCLIENTS;
        boolean refuses = !fault.kind().isTransient();
        add(
                isFull ? Code.NEAR_MAX_CLIENTS : Code.UNREACHABLE,
                refuses || !locksGoOn ? Severity.PROBLEM : Severity.WARNING,
                report.node(),
                fault.kind() == Fault.Kind.UNREACHABLE ? fault.detail() : fault.kind() + ": " + fault.detail(),
                unreachableConsequence(hasSlots ? share : null, othersGrant),
                unreachableRemedy(reliance, fault.kind()));
    }

    /** @param share what the node has of a cluster; null if that is nothing, or there is no cluster */
    private static String unreachableConsequence(@Nullable Share share, boolean othersGrant) {
        if (share != null) {
            return "Locks of its " + ClusterFindings.slots(share.size())
                    + " can't be acquired, renewed or released; those of other nodes go on";
        }
        return othersGrant
                ? "Locks go on at the other servers; what this one should take over, or vote for, it can't"
                : "No lock can be acquired, renewed or released";
    }

    private static boolean isSentinel(ServerReport report) {
        return mode(report).equals("sentinel");
    }

    /** What the server is for. Valkey has another name for it, from 8.0 on. */
    static String mode(ServerReport report) {
        String mode = report.info("redis_mode");
        return mode.isEmpty() ? report.info("server_mode") : mode;
    }

    /** Whether a server is 7.0 or newer, as it says. */
    static boolean isOfSeven(ServerReport report) {
        return Numbers.of(report.info("redis_version").split("\\.", -1)[0]) >= FIRST_WITH_SHARDED_MESSAGES;
    }

    /** Whether messages of a node of a cluster stay within its shard. One that does not tell its version may tell the command. */
    static boolean shardsMessages(ServerReport report) {
        if (!report.info("redis_version").isEmpty()) {
            return isOfSeven(report);
        }
        Verdict verdict = report.right(Rights.SHARDED_PUBLISH);
        return verdict != Verdict.ABSENT && verdict != Verdict.UNKNOWN;
    }

    private void sentinel(Reliance reliance, ServerReport report) {
        add(
                Code.NOT_A_PRIMARY,
                Severity.PROBLEM,
                report.node(),
                "The server is a Sentinel, which keeps no locks",
                "No lock can be acquired, renewed or released",
                reliance.overQuorum()
                        ? "Name a server that keeps locks: no Sentinel is a node of a quorum"
                        : "Write redis-sentinel:// and the name of the primary");
    }

    private static String unreachableRemedy(Reliance reliance, Fault.Kind kind) {
        return switch (kind) {
            case MAXCLIENTS -> SetupFindings.MORE_CLIENTS;
            case BUSY, LOADING, MASTERDOWN -> "Ask again when that is over; the server's log says why it lasts";
            case NOAUTH, WRONGPASS ->
                "Give the client the user and the password that this server takes, or the server those of the client";
            case TLS -> "Compare the server's port and its certificate with the options of TLS";
            case NOT_REDIS -> "Name a server of Redis or Valkey";
            default ->
                kind.isTransient()
                        ? "Start the server, or mend the way to it" + (reliance.failsOver() ? ANNOUNCED : "")
                        : "Give this server the user and the settings that the address and the options name";
        };
    }
}
