package io.holdfast.lock.tests.models;

import java.util.List;

/** How often the clients of the token model may ask, and what the clocks of its nodes show. */
enum TokenBounds implements Bounds {
    CLOCKS_DIFFER(List.of(2, 1), List.of(1, 1, 3)),
    CLOCKS_AGREE(List.of(2, 1), List.of(1, 1, 1)),
    LONG_ALL_DIFFER(List.of(2, 2), List.of(1, 2, 4));

    /** For each client how many rounds it may start. */
    final List<Integer> rounds;

    /** One for each node. Clocks stand still: what they give by going on is one more reason to increase. */
    final List<Integer> clocks;

    TokenBounds(List<Integer> rounds, List<Integer> clocks) {
        this.rounds = rounds;
        this.clocks = clocks;
    }
}
