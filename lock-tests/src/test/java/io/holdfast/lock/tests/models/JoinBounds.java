package io.holdfast.lock.tests.models;

import java.util.List;

/** How much may happen to a hold that joins nodes. One kind of trouble at a time; more of it is for the long suites. */
enum JoinBounds implements Bounds {
    BREAK(List.of(1, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(1, 0, 0), false),
    BREAKS(List.of(1, 1), List.of(1, 0), new Does(false, 0, 1, 0, true), new Trouble(2, 0, 0), false),
    EXPIRY(List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(0, 0, 0), false),
    RESTART(List.of(2, 2), List.of(1, 1), new Does(true, 1, 1, 0, false), new Trouble(0, 1, 0), false),
    DELETION(List.of(1, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(0, 0, 1), false),
    LATE_DELETION(List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, false), new Trouble(0, 0, 1), false),
    REJOIN(List.of(2, 1), List.of(1, 1), new Does(false, 0, 2, 0, false), new Trouble(0, 0, 1), false),
    DELETIONS(List.of(1, 1), List.of(1, 0), new Does(false, 3, 1, 0, true), new Trouble(0, 0, 2), false),
    COUNT(List.of(1, 1), List.of(1, 0), new Does(false, 1, 1, 2, true), new Trouble(1, 0, 0), false),
    TOKEN(List.of(1, 1), List.of(1, 2), new Does(false, 0, 1, 0, true), new Trouble(0, 0, 0), true),
    ROLLING(List.of(1, 1), List.of(1, 1), new Does(false, 0, 1, 0, true), new Trouble(1, 1, 0), true),
    LONG_BREAK(List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(1, 0, 0), false),
    LONG_RESTART(List.of(2, 3), List.of(1, 1), new Does(true, 2, 1, 0, false), new Trouble(0, 1, 0), false),
    LONG_DELETION(List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(0, 0, 1), false);

    /** For each client its lease in ticks. */
    final List<Integer> leases;

    /** For each client how many rounds it may start. */
    final List<Integer> rounds;

    final Does does;
    final Trouble trouble;

    /** Whether nodes mint tokens; then a node restarts only while a hold is at all nodes. */
    final boolean tokens;

    JoinBounds(List<Integer> leases, List<Integer> rounds, Does does, Trouble trouble, boolean tokens) {
        this.leases = leases;
        this.rounds = rounds;
        this.does = does;
        this.trouble = trouble;
        this.tokens = tokens;
    }

    /** Whether time passes. Tokens do not depend on it, but the time for which a node is left out does. */
    boolean isTimed() {
        return !tokens || trouble.restarts() > 0;
    }

    /**
     * What clients do.
     *
     * @param holds whether the first client begins with a hold at two nodes
     * @param renewals how often the first client may renew
     * @param joins how many joins it may send
     * @param entries how often it may change its count
     * @param ends whether clients release, give up and undo; otherwise they only fall silent
     */
    record Does(boolean holds, int renewals, int joins, int entries, boolean ends) {}

    /**
     * How much more may go wrong.
     *
     * @param breaks of connections
     * @param restarts of nodes
     * @param deletions of keys under their holders: by force, by hand, by an eviction
     */
    record Trouble(int breaks, int restarts, int deletions) {
        Trouble afterBreak() {
            return new Trouble(breaks - 1, restarts, deletions);
        }

        Trouble afterRestart() {
            return new Trouble(breaks, restarts - 1, deletions);
        }

        Trouble afterDeletion() {
            return new Trouble(breaks, restarts, deletions - 1);
        }
    }
}
