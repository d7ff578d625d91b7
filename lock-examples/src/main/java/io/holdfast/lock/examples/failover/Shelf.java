package io.holdfast.lock.examples.failover;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.RLock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One article: the lock that its buyers take, behind the Sentinels, and its stock, on a server of its own that does not fail
 * and checks the tokens.
 *
 * @param fenced whether buyers show it the tokens of their locks; without, every write is accepted
 */
record Shelf(String article, RLock lock, FencedValue stock, boolean fenced) {

    /** What is sold, as many of these as are asked for. */
    static final List<String> ARTICLES =
            List.of("apples", "bread", "cheese", "dates", "eggs", "figs", "grapes", "honey");

    private static final long AHEAD_MICROS = TimeUnit.HOURS.toMicros(1);

    int read(long token) {
        return number(fenced ? stock.get(token) : stock.get());
    }

    /** A look that has no effect. */
    int look() {
        return number(stock.get());
    }

    /** Returns false if the write came too late. */
    boolean write(int left, long token) {
        return stock.set(String.valueOf(left), fenced ? token : newerThanAll());
    }

    /** What a value takes that knows nothing of tokens. */
    private static long newerThanAll() {
        return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) + AHEAD_MICROS;
    }

    private static int number(Optional<String> stock) {
        return stock.map(Integer::parseInt).orElse(0);
    }
}
