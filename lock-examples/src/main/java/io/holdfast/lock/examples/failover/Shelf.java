package io.holdfast.lock.examples.failover;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.RLock;
import java.util.List;
import java.util.Optional;

/**
 * One article: the lock that its buyers take, behind the Sentinels, and its stock, on a server of its own that does not fail
 * and checks the tokens.
 */
record Shelf(String article, RLock lock, FencedValue stock) {

    /** What is sold, as many of these as are asked for. */
    static final List<String> ARTICLES =
            List.of("apples", "bread", "cheese", "dates", "eggs", "figs", "grapes", "honey");

    /** The stock that was read with a token, or without one. */
    static int number(Optional<String> stock) {
        return stock.map(Integer::parseInt).orElse(0);
    }
}
