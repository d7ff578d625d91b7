package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Table;
import io.holdfast.lock.benchmarks.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a single server and of a cluster, round by round.
 *
 * @param alone of the server
 * @param inCluster of the cluster, in the same rounds
 */
record Comparison(List<Double> alone, List<Double> inCluster) {

    static <C> Comparison of(List<C> alone, List<C> inCluster, ToDoubleFunction<C> figure) {
        return new Comparison(
                alone.stream().map(figure::applyAsDouble).toList(),
                inCluster.stream().map(figure::applyAsDouble).toList());
    }

    /** The ratios that the rounds have. */
    Spread ratio() {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < alone.size(); round++) {
            ratios.add(inCluster.get(round) / alone.get(round));
        }
        return Spread.of(ratios);
    }

    /** Whether the median of the ratios is a number, and not above the goal. */
    boolean isWithin(double goal) {
        return ratio().median() <= goal;
    }

    /** Whether the figure is this one in every round, of both. */
    boolean areAll(double wanted) {
        return alone.stream().allMatch(each -> each == wanted)
                && inCluster.stream().allMatch(each -> each == wanted);
    }

    /** A row for it: the medians of both, that of the ratios with their range, and the goal. */
    void row(Table table, String title, String goal) {
        Spread ratio = ratio();
        table.row(List.of(
                title,
                text(Spread.of(alone).median()),
                text(Spread.of(inCluster).median()),
                text(ratio.median()),
                text(ratio.least()) + " .. " + text(ratio.most()),
                goal));
    }

    static String text(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }
}
