package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the client's user may not do at one server, and what the server has no command for. */
final class RightFindings {

    private final Reliance reliance;
    private final ServerReport report;
    private final Findings findings;

    private RightFindings(Reliance reliance, ServerReport report, Findings findings) {
        this.reliance = reliance;
        this.report = report;
        this.findings = findings;
    }

    static void of(Reliance reliance, ServerReport report, Findings findings) {
        RightFindings judge = new RightFindings(reliance, report, findings);
        Verdict run = report.right(Rights.RUN);
        if (run == Verdict.DENIED || run == Verdict.ABSENT) {
            judge.noScripts(run);
        } else if (run == Verdict.KEYS_DENIED) {
            judge.noKeys();
        } else {
            judge.missingScripts();
            judge.eachRight();
            judge.shardedMessages();
            judge.map();
        }
    }

    private void noScripts(Verdict run) {
        findings.add(
                Code.SCRIPTS_REFUSED,
                Severity.PROBLEM,
                report.node(),
                run == Verdict.ABSENT ? "The server has no command EVALSHA" : "The user may not run EVALSHA",
                "Nothing works: every step of every lock is a script",
                run == Verdict.ABSENT
                        ? "Use a server that runs scripts"
                        : "Add +evalsha, +eval and +script|load to the user's rules");
    }

    /** The script that asks for rights did not run: the server does not have it, and would not take it from this user. */
    private void missingScripts() {
        boolean mayBring = isGranted(Rights.RUN_TEXT) || isGranted(Rights.LOAD);
        if (!mayBring && report.right(Rights.TOLD_BY_THE_SCRIPT) == Verdict.UNKNOWN) {
            findings.add(
                    Code.SCRIPTS_REFUSED,
                    Severity.PROBLEM,
                    report.node(),
                    "The server does not have the scripts of this version, and the user may run neither EVAL nor SCRIPT LOAD",
                    "Nothing works until an administrator has loaded them; which commands they may run for this user is not known",
                    "Load the scripts (docs/acl.md), or add +" + Rights.LOAD + " and +" + Rights.RUN_TEXT
                            + " to the user's rules");
        }
    }

    private void noKeys() {
        NamesInUse names = reliance.names();
        findings.add(
                Code.MISSING_RIGHT,
                Severity.PROBLEM,
                report.node(),
                "The user may not use keys " + names.spokenKeys(),
                names.areAll()
                        ? "Nothing works: all locks are under such keys"
                        : "Nothing works: each lock of the redisson scheme needs a counter and a clock under such keys",
                "Add " + names.keyRules() + " to the user's rules, and the commands of docs/acl.md");
    }

    private void eachRight() {
        List<Right> used = Rights.ALL.stream().filter(this::isUsed).toList();
        alike(used, Verdict.DENIED, Verdict.KEYS_DENIED).forEach(this::missing);
        alike(used, Verdict.ABSENT, Verdict.ABSENT).forEach(this::absent);
        List<String> unknown = used.stream()
                .filter(right -> report.right(right.name()) == Verdict.UNKNOWN)
                .map(right -> '+' + right.name())
                .toList();
        if (!unknown.isEmpty()) {
            findings.add(
                    Code.UNKNOWN_RIGHTS,
                    Severity.NOTE,
                    report.node(),
                    "Not known: " + String.join(" ", unknown),
                    "Whether the user has these rights shows when they are used",
                    "Compare the user's rules (ACL GETUSER) with docs/acl.md");
        }
    }

    /** The rights with one of two verdicts: those together without which the same follows. */
    private Collection<List<Right>> alike(List<Right> rights, Verdict one, Verdict other) {
        Map<String, List<Right>> groups = new LinkedHashMap<>();
        for (Right right : rights) {
            Verdict verdict = report.right(right.name());
            if (verdict == one || verdict == other) {
                groups.computeIfAbsent(consequence(right), group -> new ArrayList<>())
                        .add(right);
            }
        }
        return groups.values();
    }

    private String consequence(Right right) {
        return Need.of(reliance, right).map(Need::consequence).orElse(right.consequence());
    }

    private boolean isUsed(Right right) {
        return switch (right.use()) {
            case ALWAYS -> true;
            case WITH_REPLICAS ->
                !reliance.onDisk()
                        && (reliance.waitsForReplicas()
                                || reliance.failsOver()
                                || !report.info("connected_slaves").matches("0?"));
            case WITH_DISKS -> reliance.onDisk();
            case AT_ONE_NODE -> isInACluster() && report.share() == null;
            case IN_A_CLUSTER -> report.share() != null;
            case SHARDED -> shardsMessages();
            case UNSHARDED -> !shardsMessages();
            case JUDGED_TOGETHER -> false;
        };
    }

    /** @param alike rights without which the same follows */
    private void missing(List<Right> alike) {
        Right right = alike.get(0);
        Optional<Need> need = Need.of(reliance, right);
        String rules = alike.stream().map(one -> "+" + one.name()).collect(Collectors.joining(" "));
        boolean anyChannel = alike.stream().anyMatch(Right::hasChannel);
        findings.add(
                Code.MISSING_RIGHT,
                need.isPresent() ? Severity.PROBLEM : right.severity(),
                report.node(),
                "The user may not run " + spoken(alike),
                consequence(right),
                "Add " + rules + (anyChannel ? " and &" + reliance.names().channelPattern() : "")
                        + " to the user's rules" + orWithout(need));
    }

    /** A server that leaves out what clients may do without bounds them all. */
    private void absent(List<Right> alike) {
        Right right = alike.get(0);
        Optional<Need> need = Need.of(reliance, right);
        Severity otherwise = right.isABoundIfAbsent() ? Severity.WARNING : right.severity();
        findings.add(
                Code.MISSING_COMMAND,
                need.isPresent() ? Severity.PROBLEM : otherwise,
                report.node(),
                "The server has no command " + spoken(alike),
                consequence(right),
                "Offer it by its own name, if the provider lets you" + orWithout(need));
    }

    private static String orWithout(Optional<Need> need) {
        return need.map(of -> ", or connect without the option " + of.option()).orElse("");
    }

    private boolean isInACluster() {
        return Findings.mode(report).equals("cluster");
    }

    /** Whether messages of this node's locks stay within its shard. */
    private boolean shardsMessages() {
        return isInACluster() && Findings.shardsMessages(report);
    }

    /** Older than 7.0, or left out by a provider. */
    private void shardedMessages() {
        if (isInACluster() && !shardsMessages() && report.right(Rights.SHARDED_PUBLISH) == Verdict.ABSENT) {
            findings.add(
                    Code.NO_SHARDED_MESSAGES,
                    Severity.NOTE,
                    report.node(),
                    "The server has no command SPUBLISH",
                    "Each message of a release goes to all nodes of the cluster, not to those of its shard alone",
                    "Use version 7.0 or later where the traffic between nodes matters");
        }
    }

    /** How the client of a cluster learns which node has which slot. */
    private void map() {
        if (report.share() == null) {
            return;
        }
        boolean hasNew = Findings.isOfSeven(report) && isGranted(Rights.MAP);
        if (!hasNew && !isGranted(Rights.OLD_MAP)) {
            findings.add(
                    Code.MISSING_RIGHT,
                    Severity.PROBLEM,
                    report.node(),
                    "The user may not run CLUSTER SHARDS, CLUSTER SLOTS",
                    "This node tells no client which node has which slot; if none does, no lock can be acquired",
                    "Add +" + Rights.MAP + " +" + Rights.OLD_MAP + " to the user's rules, or one of them");
        } else if (!hasNew && Findings.isOfSeven(report)) {
            missing(Rights.ALL.stream()
                    .filter(right -> right.name().equals(Rights.MAP))
                    .toList());
        }
    }

    /** Whether the user has a right, as far as is known. */
    private boolean isGranted(String right) {
        Verdict verdict = report.right(right);
        return verdict == Verdict.ALLOWED || verdict == Verdict.UNKNOWN;
    }

    private static String spoken(List<Right> rights) {
        return rights.stream()
                .map(right -> right.name().replace('|', ' ').toUpperCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
