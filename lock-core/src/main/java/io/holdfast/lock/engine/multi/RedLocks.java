package io.holdfast.lock.engine.multi;

import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.lock.LockSite;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.text.Printable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one lock of the locks of several clients. All locks over a set of clients, in whatever order they are named, share
 * an engine, and so their owners. It belongs to the client whose server's address comes first, and ends with any of them.
 */
public final class RedLocks {

    private static final Logger log = LoggerFactory.getLogger(RedLocks.class);

    public static RLock of(List<RLock> locks, QuorumOptions options) {
        Objects.requireNonNull(options, "options");
        List<EngineLock> members = Members.of("RedLock", locks);
        for (EngineLock member : members) {
            if (member.facts.isQuorum()) {
                throw new IllegalArgumentException("RedLock: lock '" + member.keys
                        + "' is kept by several servers already (expected: locks of one server each)");
            }
            if (member.facts.options().waitForReplicas().isPresent()) {
                throw new IllegalArgumentException("RedLock: the client of lock '" + member.keys
                        + "' waits for replicas (expected: clients without waitForReplicas; a majority decides)");
            }
            if (member.facts.options().failoverGuard().isPresent()) {
                throw new IllegalArgumentException("RedLock: the client of lock '" + member.keys
                        + "' has a failoverGuard (expected: clients without; no node of a quorum fails over)");
            }
        }
        boolean allTakeTurns = members.stream().allMatch(member -> member.kind.takesTurns());
        if (members.stream()
                        .map(member ->
                                Optional.ofNullable(member.kind.withoutTurns().overNodes()))
                        .distinct()
                        .count()
                > 1) {
            throw new IllegalArgumentException("RedLock: locks of different kinds (expected: one kind)");
        }
        LockKind kindOfFirst = members.get(0).kind;
        LockKind kind = (allTakeTurns ? kindOfFirst : kindOfFirst.withoutTurns()).overNodes();
        if (kind == null) {
            EngineLock first = members.get(0);
            throw new IllegalArgumentException("RedLock: lock '" + first.keys + "' at " + first.facts.node() + " is a "
                    + Printable.of(first.kind)
                    + " lock, and each server would keep another order (expected: locks of getLock, or"
                    + " the same half of getReadWriteLock of each, which keep none over several servers)");
        }
        checkIndependent(members.stream().map(RedLocks::store).toList());
        List<EngineLock> sorted = members.stream()
                .sorted(Comparator.comparing(member -> member.facts.node()))
                .toList();
        List<LockSite> sites = sorted.stream().map(member -> member.site).toList();
        LockSite site = sites.get(0).over(sites, options);
        return new RedLockOfLocks(sorted, site, new Terms(kind, members.get(0).options));
    }

    private static Backend store(EngineLock member) {
        return member.facts.stores().get(0).backend();
    }

    /**
     * Refuses stores that would fail together, and those that may lead to a server that was promoted: it has not heard of all
     * locks, and still votes. Warns of numbers that make little sense.
     */
    public static void checkIndependent(List<? extends Backend> backends) {
        Map<String, Integer> servers = new HashMap<>();
        for (int i = 0; i < backends.size(); i++) {
            Backend backend = backends.get(i);
            if (backend.mayFailOver()) {
                throw new IllegalArgumentException("RedLock: number " + (i + 1) + " ("
                        + Printable.of(backend.describe())
                        + ") leads to one of several servers (expected: one server for each node of a quorum)");
            }
            ServerRun run = backend.run();
            Integer same = servers.put(backend.describe(), i);
            if (same == null && run.isKnown()) {
                same = servers.put("run " + run.id(), i);
            }
            if (same != null) {
                throw new IllegalArgumentException("RedLock: number " + (same + 1) + " ("
                        + Printable.of(backends.get(same).describe())
                        + ") and number " + (i + 1) + " (" + Printable.of(backend.describe())
                        + ") are the same server, so they are not independent");
            }
        }
        int nodes = backends.size();
        if (nodes < 3) {
            log.warn("a quorum of {} survives the loss of no node (advised: 3 or 5 nodes)", nodes);
        } else if (nodes % 2 == 0) {
            log.warn("a quorum of {} survives the loss of {} nodes, like one of {}", nodes, (nodes - 1) / 2, nodes - 1);
        }
    }
}
