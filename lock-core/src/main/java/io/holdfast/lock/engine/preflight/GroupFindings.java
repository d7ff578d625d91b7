package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Clock;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is only seen by looking at several servers. */
final class GroupFindings {

    private final Reliance reliance;
    private final List<ServerReport> reports;
    private final Findings findings;

    private GroupFindings(Reliance reliance, List<ServerReport> reports, Findings findings) {
        this.reliance = reliance;
        this.reports = reports;
        this.findings = findings;
    }

    static void of(Reliance reliance, List<ServerReport> reports, Findings findings) {
        GroupFindings judge = new GroupFindings(reliance, reports, findings);
        judge.clocks();
        judge.versions();
        judge.minReplicas();
        judge.primary();
    }

    /** Tells of the two clocks that differ most. */
    private void clocks() {
        long most = LeaseTerm.marginNanos(reliance.leaseMillis());
        ServerReport behind = null;
        ServerReport ahead = null;
        for (ServerReport one : reports) {
            for (ServerReport other : reports) {
                long nanos = leastAheadNanos(other.clock(), one.clock());
                if (nanos > most) {
                    most = nanos;
                    behind = one;
                    ahead = other;
                }
            }
        }
        if (behind == null || ahead == null) {
            return;
        }
        Duration difference = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(most));
        findings.add(
                Code.CLOCKS_DIFFER,
                Severity.WARNING,
                behind.node() + ", " + ahead.node(),
                "The clock of " + ahead.node() + " is at least " + Durations.of(difference) + " ahead of that of "
                        + behind.node(),
                reliance.overQuorum()
                        ? "Fencing tokens run ahead of time, and a node that was restarted is left out for longer"
                        : "After a failover leases end that much earlier or later than their holders think",
                "Let all servers keep time by the same source");
    }

    /** By how much one clock is ahead of another at least, whenever they were read; negative if that is not known. */
    private static long leastAheadNanos(@Nullable Clock ahead, @Nullable Clock behind) {
        if (ahead == null || behind == null) {
            return -1;
        }
        long serversNanos = TimeUnit.MICROSECONDS.toNanos(ahead.serverMicros() - behind.serverMicros());
        return serversNanos - (ahead.answeredNanos() - behind.askedNanos());
    }

    /** A server that does not say what it is may be the primary, and so may one that was not reached. */
    private void primary() {
        boolean allAreReplicas = !reports.isEmpty()
                && reports.stream().allMatch(report -> report.info("role").equals("slave"));
        if (reliance.failsOver() && allAreReplicas) {
            findings.add(
                    Code.NOT_A_PRIMARY,
                    Severity.PROBLEM,
                    String.join(", ", reports.stream().map(ServerReport::node).toList()),
                    "Each server calls itself a replica",
                    "No lock can be acquired, renewed or released until one of them is promoted",
                    "Promote a replica (REPLICAOF NO ONE), or let the Sentinels do it");
        }
    }

    /** A replica that lacks the setting is the primary without it, one day. */
    private void minReplicas() {
        List<String> without = reports.stream()
                .filter(report -> !report.info("role").isEmpty())
                .filter(report -> report.info("min_slaves_good_slaves").isEmpty())
                .map(ServerReport::node)
                .toList();
        if (reliance.failsOver() && !without.isEmpty()) {
            findings.add(
                    Code.MIN_REPLICAS_UNSET,
                    Severity.WARNING,
                    String.join(", ", without),
                    "min-replicas-to-write is 0",
                    reliance.guarded()
                            ? "A primary that is cut off from its replicas goes on granting locks that the next one does not know:"
                                    + " they are lost, and told to be"
                            : "A primary that is cut off from its replicas goes on granting locks while another is promoted",
                    "Set min-replicas-to-write 1 and a min-replicas-max-lag of a few seconds, on all servers");
        }
    }

    private void versions() {
        TreeSet<String> versions = new TreeSet<>();
        reports.forEach(report -> versions.add(Printable.of(version(report))));
        versions.remove("");
        if (versions.size() > 1) {
            findings.add(
                    Code.VERSIONS_DIFFER,
                    Severity.NOTE,
                    String.join(
                            ", ",
                            reports.stream()
                                    .filter(report -> !version(report).isEmpty())
                                    .map(ServerReport::node)
                                    .toList()),
                    "Versions " + String.join(", ", versions),
                    "Locks work; what one server allows, another may refuse",
                    "Bring all servers to one version when an update is done");
        }
    }

    /** Valkey has a version of its own; the one of Redis that it tells besides never changes. */
    private static String version(ServerReport report) {
        String valkey = report.info("valkey_version");
        return valkey.isEmpty() ? report.info("redis_version") : "Valkey " + valkey;
    }
}
