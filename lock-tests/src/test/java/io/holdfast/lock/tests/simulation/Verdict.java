package io.holdfast.lock.tests.simulation;

/**
 * How a run ended.
 *
 * @param checker which promise was broken: ME, FM, HC, NLW, LV, ERR or LIN; empty if none was
 * @param message how it was broken
 * @param eventHash a number that two runs of one seed have in common
 */
public record Verdict(String workload, long seed, String checker, String message, long eventHash, Tally tally) {

    public boolean passed() {
        return checker.isEmpty();
    }

    /** One line: {@code seed 42: ME: ...}. */
    public String line() {
        return "seed " + seed + ": " + (passed() ? "passed" : checker + ": " + message);
    }
}
