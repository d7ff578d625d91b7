package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;

/** What one server's settings mean for locks. What is not known is no finding of its own. */
final class SetupFindings {

    private static final long OLDEST_MAJOR = 6;
    private static final long OLDEST_MINOR = 2;

    /** Of this many clients that the server takes, one less are near. */
    private static final int NEARLY_ALL = 10;

    /** What to do where a server has nearly all clients that it takes. */
    static final String MORE_CLIENTS = "Raise maxclients, or find out which program opens so many connections";

    /** Renewals are sent when a third of a lease is over, and one that is answered late must not be the last. */
    private static final int LEASE_PART = 3;

    private final Reliance reliance;
    private final ServerReport report;
    private final Findings findings;

    private SetupFindings(Reliance reliance, ServerReport report, Findings findings) {
        this.reliance = reliance;
        this.report = report;
        this.findings = findings;
    }

    static void of(Reliance reliance, ServerReport report, Findings findings) {
        SetupFindings judge = new SetupFindings(reliance, report, findings);
        judge.version();
        judge.role();
        judge.eviction();
        judge.persistence();
        judge.replicationId();
        judge.replicas();
        judge.clients();
        judge.scriptTime();
    }

    private void version() {
        String version = report.info("redis_version");
        String[] parts = version.split("\\.", -1);
        if (parts.length < 2) {
            return;
        }
        long major = Numbers.of(parts[0]);
        long minor = Numbers.of(parts[1]);
        if (major >= 0 && minor >= 0 && (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR))) {
            add(
                    Code.VERSION_TOO_OLD,
                    Severity.PROBLEM,
                    "Version " + Printable.of(version),
                    "The client refuses servers older than " + OLDEST_MAJOR + "." + OLDEST_MINOR,
                    "Update the server");
        }
    }

    /** A name may have more addresses, of which the client takes the primary's. */
    private void role() {
        if (!reliance.failsOver() && report.info("role").equals("slave")) {
            add(
                    Code.NOT_A_PRIMARY,
                    Severity.PROBLEM,
                    "The server is a replica",
                    "The client takes no locks there, and has no other server unless the name has more addresses",
                    reliance.overQuorum()
                            ? "Name the primary: a node of a quorum is one server"
                            : "Name the primary, or all servers by redis-replicas://, or the Sentinels by redis-sentinel://");
        }
    }

    private void eviction() {
        String policy = report.info("maxmemory_policy");
        if (policy.isEmpty() || policy.equals("noeviction")) {
            return;
        }
        boolean hasLimit = Numbers.of(report.info("maxmemory")) != 0;
        add(
                Code.EVICTION,
                hasLimit ? Severity.PROBLEM : Severity.WARNING,
                "maxmemory-policy " + Printable.of(policy) + (hasLimit ? "" : ", without a maxmemory"),
                "When its memory is full, the server deletes locks that are held",
                "Set maxmemory-policy noeviction, or keep locks on a server of their own");
    }

    private void persistence() {
        if (!report.info("aof_enabled").equals("0")) {
            return;
        }
        if (reliance.onDisk()) {
            noDisk();
        } else if (reliance.overQuorum()) {
            add(
                    Code.NO_PERSISTENCE,
                    Severity.WARNING,
                    "No append-only file",
                    "A restart forgets all locks, so the node is left out until each of them would have expired",
                    "Set appendonly yes and appendfsync always, or accept that pause");
        } else if (isAlone()) {
            add(
                    Code.NO_PERSISTENCE,
                    Severity.WARNING,
                    "No append-only file",
                    "A restart forgets locks that are held: all, or those since the last snapshot; two clients may hold one then",
                    "Set appendonly yes, with appendfsync always for the last second's locks too, or check fencing tokens at the"
                            + " resource");
        }
    }

    /** Whether nothing but this server's memory knows what it has granted. What a node of a cluster keeps is told of each. */
    private boolean isAlone() {
        boolean isPrimary = !report.info("role").equals("slave");
        return isPrimary && report.share() == null && !reliance.waitsForReplicas() && !reliance.guarded();
    }

    /** WAITAOF fails at such a primary, and such a replica confirms nothing. */
    private void noDisk() {
        boolean isReplica = report.info("role").equals("slave");
        add(
                Code.NO_PERSISTENCE,
                isReplica ? Severity.WARNING : Severity.PROBLEM,
                "No append-only file, and each grant waits until the lock is on disk",
                isReplica
                        ? "The replica confirms no lock; as a primary it would grant none"
                        : "No lock is granted: each call fails",
                "Set appendonly yes, on all servers, or wait for the replicas' memory (waitForReplicas)");
    }

    /** A server that may not be asked for INFO lacks a right, which is a finding by itself. */
    private void replicationId() {
        if (reliance.guarded()
                && !report.info().isEmpty()
                && report.info("master_replid").isEmpty()) {
            add(
                    Code.NO_REPLICATION_ID,
                    Severity.PROBLEM,
                    "INFO has no master_replid",
                    "No lock is granted, and none renewed: the failover guard knows a primary by its replication id",
                    "Use a server that tells it, or connect without the option failoverGuard");
        }
    }

    private void replicas() {
        long connected = Numbers.of(report.info("connected_slaves"));
        if (!report.info("role").equals("master")) {
            return;
        }
        if (reliance.waitsForReplicas()) {
            tooFewReplicas();
        } else if (connected > 0) {
            replicasNotWaitedFor(connected);
        }
    }

    private void tooFewReplicas() {
        long onLine = 0;
        for (int i = 0; report.info().containsKey("slave" + i); i++) {
            onLine += report.info("slave" + i).contains("state=online") ? 1 : 0;
        }
        if (onLine < reliance.replicas()) {
            add(
                    Code.TOO_FEW_REPLICAS,
                    Severity.PROBLEM,
                    onLine + (onLine == 1 ? " replica is" : " replicas are") + " in step, and each grant waits for "
                            + reliance.replicas(),
                    "No lock is granted: each call ends with NOREPLICAS",
                    "Connect more replicas, or wait for fewer (waitForReplicas)");
        }
    }

    private void replicasNotWaitedFor(long connected) {
        add(
                Code.REPLICAS_NOT_WAITED_FOR,
                reliance.failsOver() ? Severity.WARNING : Severity.NOTE,
                connected + (connected == 1 ? " replica" : " replicas") + ", and no grant waits for them",
                withoutThem(),
                reliance.overQuorum()
                        ? "Promote no replica of a quorum's node; the other nodes vote until the node itself is back"
                        : "Let grants wait for replicas (waitForReplicas)"
                                + (reliance.guarded()
                                        ? ""
                                        : ", check fencing tokens at the resource, or use a quorum of independent servers"));
    }

    /** What follows if no grant waits for replicas. */
    private String withoutThem() {
        if (reliance.overQuorum()) {
            return "A replica that takes this node's place votes without the locks that it has not heard of";
        }
        String lost = "A failover loses the locks that the new primary has not heard of; ";
        return lost
                + (reliance.guarded()
                        ? "their owners are told, and other clients are granted them after the pause only"
                        : "two clients may hold one then");
    }

    private void clients() {
        long connected = Numbers.of(report.info("connected_clients"));
        long most = Numbers.of(report.info("maxclients"));
        if (connected >= 0 && most > 0 && connected >= most - most / NEARLY_ALL) {
            add(
                    Code.NEAR_MAX_CLIENTS,
                    Severity.WARNING,
                    connected + " clients are connected, and maxclients is " + most,
                    "A client that reconnects may be refused, and loses its locks when their leases are over",
                    MORE_CLIENTS);
        }
    }

    private void scriptTime() {
        long limitMillis = Numbers.of(report.settings().getOrDefault("lua-time-limit", ""));
        long mostMillis = reliance.leaseMillis() / LEASE_PART;
        if (limitMillis == 0 || limitMillis > mostMillis) {
            String limit = Durations.of(Duration.ofMillis(limitMillis));
            add(
                    Code.SCRIPT_TIME_LIMIT,
                    Severity.WARNING,
                    limitMillis == 0 ? "lua-time-limit is 0: scripts have no limit" : "lua-time-limit is " + limit,
                    "While a script of another program runs, the server answers no client and no administrator can end it;"
                            + " leases of " + Durations.of(Duration.ofMillis(reliance.leaseMillis())) + " run out",
                    "Set lua-time-limit to " + Durations.of(Duration.ofMillis(mostMillis))
                            + " or less, or give locks a longer lease");
        }
    }

    private void add(Code code, Severity severity, String seen, String consequence, String remedy) {
        findings.add(code, severity, report.node(), seen, consequence, remedy);
    }
}
