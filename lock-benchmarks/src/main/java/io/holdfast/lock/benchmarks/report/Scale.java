package io.holdfast.lock.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Where a value is on an axis; linear from zero, or logarithmic. */
final class Scale {

    private final boolean logarithmic;
    private final double least;
    private final double most;
    private final double from;
    private final double to;

    private Scale(boolean logarithmic, double least, double most, double from, double to) {
        this.logarithmic = logarithmic;
        this.least = least;
        this.most = most;
        this.from = from;
        this.to = to;
    }

    /** From zero up to a round number. */
    static Scale linear(double greatest, double from, double to) {
        return new Scale(false, 0, roundUp(greatest), from, to);
    }

    /** From zero to exactly this. */
    static Scale upTo(double greatest, double from, double to) {
        return new Scale(false, 0, greatest, from, to);
    }

    /** From one power of ten to another, with everything between. */
    static Scale logarithmic(double smallest, double greatest, double from, double to) {
        double low = Math.pow(10, Math.floor(Math.log10(Math.max(smallest, 1e-3))));
        double high = Math.pow(10, Math.ceil(Math.log10(Math.max(greatest, 1e-3))));
        return new Scale(true, low, high > low ? high : low * 10, from, to);
    }

    /** From exactly one value to another, by powers of two: for numbers of threads. */
    static Scale doubling(double smallest, double greatest, double from, double to) {
        return new Scale(true, smallest, Math.max(greatest, smallest * 2), from, to);
    }

    double at(double value) {
        double part = logarithmic
                ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
                : value / (most == 0 ? 1 : most);
        return from + part * (to - from);
    }

    /** Values worth a mark. */
    List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        if (logarithmic) {
            for (double mark = least; mark <= most * 1.001; mark *= 10) {
                marks.add(mark);
            }
        } else {
            for (int i = 0; i <= 4; i++) {
                marks.add(most * i / 4);
            }
        }
        return marks;
    }

    private static double roundUp(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 2, 4, 6, 8}) {
            if (value <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }
}
