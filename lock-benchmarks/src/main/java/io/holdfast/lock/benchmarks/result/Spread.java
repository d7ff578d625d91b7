package io.holdfast.lock.benchmarks.result;

import java.util.Arrays;
import java.util.List;

/** A number over the rounds: its median, and the range in which it was. */
public record Spread(double median, double least, double most, int rounds) {

    /** Of at least one number. */
    public static Spread of(List<Double> numbers) {
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("no numbers (expected: at least one round)");
        }
        double[] sorted =
                numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(median(sorted), sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).average().orElseThrow();
    }
}
