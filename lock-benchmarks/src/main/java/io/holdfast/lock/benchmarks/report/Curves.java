package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The curves that the report has. */
final class Curves {

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 99.99};
    private static final int STEPS = 160;

    private Curves() {}

    /** Latency by percentile. The axis is logarithmic: each step to the right leaves out nine tenths of the rest. */
    static CurveChart latency(WorkloadResult result) {
        CurveChart chart = new CurveChart("latency", "percentile")
                .marksAs(Curves::percentile)
                .valuesAs(Text::micros);
        long most = result.peers().stream()
                .mapToLong(peer -> result.latency(peer).getTotalCount())
                .max()
                .orElse(0);
        double last = 100;
        for (double percentile : PERCENTILES) {
            // Beyond this there is less than one operation.
            if (percentile == 0 || most * (100 - percentile) / 100 >= 1) {
                last = percentile;
            }
        }
        double width = nines(last);
        for (double percentile : PERCENTILES) {
            if (percentile <= last && percentile != 0 || last == 0) {
                chart.mark(width == 0 ? 0 : nines(percentile) / width, percentile);
            }
        }
        for (PeerKind peer : result.peers()) {
            Histogram histogram = result.latency(peer);
            long count = histogram.getTotalCount();
            for (int step = 0; step <= STEPS && count > 0 && width > 0; step++) {
                double left = Math.pow(10, -width * step / STEPS);
                if (left * count >= 1) {
                    chart.point(
                            peer,
                            (double) step / STEPS,
                            histogram.getValueAtPercentile(100 * (1 - left)) / NANOS_PER_MICRO);
                }
            }
        }
        return chart;
    }

    private static double nines(double percentile) {
        return -Math.log10(1 - percentile / 100);
    }

    private static String percentile(double value) {
        return value == Math.rint(value) ? Text.exact(value) : Double.toString(value);
    }

    /** A metric by the number of threads. */
    static CurveChart scaling(List<WorkloadResult> points, Metric metric) {
        boolean time = metric.unit().equals("us");
        String title = metric.title() + (metric.unit().isEmpty() || time ? "" : ", " + metric.unit());
        CurveChart chart = new CurveChart(title, "threads").withDots().valuesAs(time ? Text::micros : Text::exact);
        int most = points.stream().mapToInt(point -> point.about().x()).max().orElse(1);
        Scale scale = Scale.doubling(1, most, 0, 1);
        for (WorkloadResult point : points) {
            double place = scale.at(point.about().x());
            chart.mark(place, point.about().x());
            for (PeerKind peer : point.peers()) {
                point.spread(peer, metric).ifPresent(spread -> chart.point(peer, place, spread.median()));
            }
        }
        return chart;
    }
}
