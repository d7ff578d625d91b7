package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Spread;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** How figures are written: the same in every locale, with as many digits as mean something. */
final class Text {

    private Text() {}

    /** {@code 12,345}, {@code 123}, {@code 12.3}, {@code 1.23}, {@code 0.012}. */
    static String number(double value) {
        double size = Math.abs(value);
        if (Double.isInfinite(value) || Double.isNaN(value)) {
            return "-";
        }
        if (value == 0) {
            return "0";
        }
        if (size < 0.01) {
            return new BigDecimal(value).round(new MathContext(2)).toPlainString();
        }
        String pattern = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, pattern, value);
    }

    /** A number that was chosen or counted: {@code 3}, {@code 1.5}. */
    static String exact(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%,.0f", value)
                : number(value);
    }

    /** A power of ten of microseconds, in the unit that suits it: {@code 10 us}, {@code 1 ms}, {@code 10 s}. */
    static String micros(double micros) {
        return micros >= 1e6
                ? exact(micros / 1e6) + " s"
                : micros >= 1e3 ? exact(micros / 1e3) + " ms" : exact(micros) + " us";
    }

    /** The median alone. */
    static String median(Spread spread) {
        return spread.least() == spread.most() ? exact(spread.median()) : number(spread.median());
    }

    /** {@code 1.2 .. 3.4}; nothing if there was one round only. */
    static String range(Spread spread) {
        return spread.rounds() < 2 ? "" : number(spread.least()) + " .. " + number(spread.most());
    }

    /** A number and its unit. */
    static String withUnit(double value, Metric metric) {
        return exact(value) + (metric.unit().isEmpty() ? "" : " " + metric.unit());
    }

    /** {@code 3.21x}. */
    static String ratio(Spread spread) {
        return number(spread.median()) + "x";
    }
}
