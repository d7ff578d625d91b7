package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is a finding in the reports of all servers of a client, the worst first. */
final class Findings {

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
                findings.unreachable(report, fault, locksGoOn);
            }
            // A server that fell silent half-way has said something.
            if (isSentinel(report)) {
                findings.sentinel(reliance, report);
            } else if (fault == null || !report.info().isEmpty()) {
                RightFindings.of(reliance, report, findings);
                SetupFindings.of(reliance, report, findings);
            }
        }
        GroupFindings.of(reliance, reports, findings);
        findings.all.sort(Comparator.comparing(Finding::severity));
        return List.copyOf(findings.all);
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
    private void unreachable(ServerReport report, Fault fault, boolean locksGoOn) {
        boolean isFull = fault.kind() == Fault.Kind.MAXCLIENTS;
        boolean refuses = !fault.kind().isTransient();
        add(
                isFull ? Code.NEAR_MAX_CLIENTS : Code.UNREACHABLE,
                refuses || !locksGoOn ? Severity.PROBLEM : Severity.WARNING,
                report.node(),
                fault.kind() == Fault.Kind.UNREACHABLE ? fault.detail() : fault.kind() + ": " + fault.detail(),
                locksGoOn
                        ? "Locks go on at the other servers; what this one should take over, or vote for, it can't"
                        : "No lock can be acquired, renewed or released",
                unreachableRemedy(fault.kind()));
    }

    private static boolean isSentinel(ServerReport report) {
        return mode(report).equals("sentinel");
    }

    /** What the server is for. Valkey has another name for it, from 8.0 on. */
    static String mode(ServerReport report) {
        String mode = report.info("redis_mode");
        return mode.isEmpty() ? report.info("server_mode") : mode;
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

    private static String unreachableRemedy(Fault.Kind kind) {
        return switch (kind) {
            case MAXCLIENTS -> SetupFindings.MORE_CLIENTS;
            case BUSY, LOADING, MASTERDOWN -> "Ask again when that is over; the server's log says why it lasts";
            case NOAUTH, WRONGPASS ->
                "Give the client the user and the password that this server takes, or the server those of the client";
            case TLS -> "Compare the server's port and its certificate with the options of TLS";
            case NOT_REDIS -> "Name a server of Redis or Valkey";
            default ->
                kind.isTransient()
                        ? "Start the server, or mend the way to it"
                        : "Give this server the user and the settings that the address and the options name";
        };
    }
}
