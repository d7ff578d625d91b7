package io.holdfast.lock.examples.stock;

/**
 * How a run ended.
 *
 * @param run what was run
 * @param sold sales recorded
 * @param left the stock at the end
 * @param elapsedNanos from the start signal until the last buyer went home
 * @param tally what the buyers counted
 */
record Result(Run run, int sold, int left, long elapsedNanos, Tally tally) {

    /** How many more were sold than the stock went down by. */
    int oversold() {
        return sold - (run.items() - left);
    }

    boolean isExact() {
        return oversold() == 0;
    }

    double salesPerSecond() {
        return sold / (elapsedNanos / 1e9);
    }
}
