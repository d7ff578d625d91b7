package io.holdfast.lock.tests.models;

import java.util.List;

/** How often the clients of the token model may ask, and what the clocks of its nodes show. */
enum TokenBounds implements Bounds {
    CLOCKS_DIFFER(false, List.of(2, 1), List.of(1, 1, 3)),
    CLOCKS_AGREE(false, List.of(2, 1), List.of(1, 1, 1)),
    LONG_ALL_DIFFER(true, List.of(2, 2), List.of(1, 2, 4));

    private final boolean isLong;

    /** For each client how many rounds it may start. */
    final List<Integer> rounds;

    /** One for each node. Clocks stand still: what they give by going on is one more reason to increase. */
    final List<Integer> clocks;

    TokenBounds(boolean isLong, List<Integer> rounds, List<Integer> clocks) {
        this.isLong = isLong;
        this.rounds = rounds;
        this.clocks = clocks;
    }

    @Override
    public boolean isLong() {
        return isLong;
    }
}
