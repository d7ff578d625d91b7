package io.holdfast.lock.tests.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * LV: a hold over several servers regains those that it lacks: with everything in order it is at all of them within two
 * renewal periods.
 */
final class RegainChecker {

    /** A look comes every quarter of a period, and an answer takes its time. */
    private static final long SLACK_NANOS = 500_000_000L;

    private final Complaints complaints;
    private final long longestLeaseNanos;
    private final long withinNanos;
    /** The largest difference between the servers' clocks so far. */
    private long apartNanos;

    private final Map<Claim, Long> firstSeenNanos = new WeakHashMap<>();

    /** When an owner that was freed by force elsewhere was last seen at a server, by server and lock. */
    private final Map<List<Integer>, Long> keptNanos = new HashMap<>();

    /** @param longestLeaseNanos three periods of the hold that is renewed most seldom */
    RegainChecker(Complaints complaints, long longestLeaseNanos) {
        this.complaints = complaints;
        this.longestLeaseNanos = longestLeaseNanos;
        this.withinNanos = longestLeaseNanos / 3 * 9 / 4 + SLACK_NANOS;
    }

    /** Looks from time to time. */
    void look(
            long now,
            long disturbedUntilNanos,
            List<SimulatedServer> servers,
            List<String> keys,
            Referee referee,
            Ledger ledger) {
        for (SimulatedServer one : servers) {
            for (SimulatedServer other : servers) {
                apartNanos = Math.max(
                        apartNanos, 1_000 * (one.keys().micros() - other.keys().micros()));
            }
        }
        for (int lock = 0; lock < keys.size(); lock++) {
            for (SimulatedServer server : servers) {
                noteWhereForceLeftAnOwner(server, lock, ledger, now);
            }
            for (Claim claim : referee.claims(lock)) {
                long seenNanos = firstSeenNanos.computeIfAbsent(claim, first -> now);
                boolean calm = now - Math.max(seenNanos, disturbedUntilNanos) > withinNanos;
                if (calm && claim.isValid() && !claim.releasing && !claim.isExcused() && !referee.isBusy(claim)) {
                    isEverywhere(claim, servers, keys.get(lock), ledger, now);
                }
            }
        }
    }

    /** Whether a hold has been there for so long before this time that it was everywhere by then. */
    boolean hadTime(Claim claim, long nanos) {
        Long seenNanos = firstSeenNanos.get(claim);
        return seenNanos != null && nanos - seenNanos > withinNanos;
    }

    private void isEverywhere(Claim claim, List<SimulatedServer> servers, String key, Ledger ledger, long now) {
        for (SimulatedServer server : servers) {
            boolean there = CountChecker.count(server, key, claim) > 0;
            if (!there
                    && counts(server, now)
                    && !wasKept(server, claim.lock, now)
                    && !ledger.wasTakenAway(server.index, claim.lock, claim.owner, claim.askedNanos)) {
                complaints.broken("LV", claim + ": is valid and has not regained " + server.name);
            }
        }
    }

    /**
     * Force goes past a request that is slow at one server, and its owner then has that one alone until its lease is over.
     * Holds regain it after that.
     */
    private void noteWhereForceLeftAnOwner(SimulatedServer server, int lock, Ledger ledger, long now) {
        boolean isKept = ledger.present().stream()
                .anyMatch(each -> each.server == server.index
                        && each.lock == lock
                        && ledger.wasFreedByForce(lock, each.owner(), 0));
        if (isKept) {
            keptNanos.put(List.of(server.index, lock), now);
        }
    }

    private boolean wasKept(SimulatedServer server, int lock, long now) {
        Long latestNanos = keptNanos.get(List.of(server.index, lock));
        return latestNanos != null && now - latestNanos <= withinNanos;
    }

    /**
     * Whether the server has not been left out after a restart for as long as a hold may take to regain it. Clients that saw
     * a replica become the server take it for as young as that.
     */
    private boolean counts(SimulatedServer server, long now) {
        long leftOutNanos = longestLeaseNanos + longestLeaseNanos / 100 + 2_000_000_000L + apartNanos;
        boolean justPromoted =
                server.promotedNanos() >= 0 && now - server.promotedNanos() <= leftOutNanos + withinNanos;
        return server.isUp() && !justPromoted && server.upSeconds() * 1_000_000_000L > leftOutNanos + withinNanos;
    }
}
