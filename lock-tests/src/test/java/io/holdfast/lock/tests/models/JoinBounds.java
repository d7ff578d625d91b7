package io.holdfast.lock.tests.models;

import java.util.List;

/** How much may happen to a hold that joins nodes. One kind of trouble at a time; more of it is for the long suites. */
enum JoinBounds implements Bounds {
    BREAK(false, List.of(1, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(1, 0, 0), false),
    BREAKS(false, List.of(1, 1), List.of(1, 0), new Does(false, 0, 1, 0, true), new Trouble(2, 0, 0), false),
    EXPIRY(false, List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(0, 0, 0), false),
    RESTART(false, List.of(2, 2), List.of(1, 1), new Does(true, 1, 1, 0, false), new Trouble(0, 1, 0), false),
    DELETION(false, List.of(1, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(0, 0, 1), false),
    LATE_DELETION(false, List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, false), new Trouble(0, 0, 1), false),
    REJOIN(false, List.of(2, 1), List.of(1, 1), new Does(false, 0, 2, 0, false), new Trouble(0, 0, 1), false),
    DELETIONS(false, List.of(1, 1), List.of(1, 0), new Does(false, 3, 1, 0, true), new Trouble(0, 0, 2), false),
    COUNT(false, List.of(1, 1), List.of(1, 0), new Does(false, 1, 1, 2, true), new Trouble(1, 0, 0), false),
    TOKEN(false, List.of(1, 1), List.of(1, 2), new Does(false, 0, 1, 0, true), new Trouble(0, 0, 0), true),
    ROLLING(false, List.of(1, 1), List.of(1, 1), new Does(false, 0, 1, 0, true), new Trouble(1, 1, 0), true),
    LONG_BREAK(true, List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(1, 0, 0), false),
    LONG_RESTART(true, List.of(2, 3), List.of(1, 1), new Does(true, 2, 1, 0, false), new Trouble(0, 1, 0), false),
    LONG_DELETION(true, List.of(2, 1), List.of(1, 1), new Does(false, 1, 1, 0, true), new Trouble(0, 0, 1), false);

    private final boolean isLong;

    /** For each client its lease in ticks. */
    final List<Integer> leases;

    /** For each client how many rounds it may start. */
    final List<Integer> rounds;

    final Does does;
    final Trouble trouble;

    /** Whether nodes mint tokens; then a node restarts only while a hold is at all nodes. */
    final boolean tokens;

    JoinBounds(boolean isLong, List<Integer> leases, List<Integer> rounds, Does does, Trouble trouble, boolean tokens) {
        this.isLong = isLong;
        this.leases = leases;
        this.rounds = rounds;
        this.does = does;
        this.trouble = trouble;
        this.tokens = tokens;
    }

    @Override
    public boolean isLong() {
        return isLong;
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
