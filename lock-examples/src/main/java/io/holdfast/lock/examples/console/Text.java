package io.holdfast.lock.examples.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** How numbers and bars are written. Plain ASCII, the same in every locale. */
public final class Text {

    private static final String LEVELS = " .:|#";

    private Text() {}

    /** {@code 12,345}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code +12}, {@code -3} or {@code 0}. */
    public static String signed(long number) {
        return number == 0 ? "0" : String.format(Locale.ROOT, "%+,d", number);
    }

    /** {@code 0.41 ms}, {@code 12.3 ms}, {@code 456 ms} or {@code 1.23 s}. */
    public static String duration(long nanos) {
        double millis = nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
        if (millis < 10) {
            return String.format(Locale.ROOT, "%.2f ms", millis);
        }
        if (millis < 100) {
            return String.format(Locale.ROOT, "%.1f ms", millis);
        }
        if (millis < 1000) {
            return String.format(Locale.ROOT, "%.0f ms", millis);
        }
        return String.format(Locale.ROOT, "%.2f s", millis / 1000);
    }

    /** Milliseconds without their unit: {@code 0.4}, {@code 9.9}, {@code 1,234}. */
    public static String millis(long nanos) {
        double millis = nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
        return String.format(Locale.ROOT, millis < 9.95 ? "%.1f" : "%,.0f", millis);
    }

    /** {@code 1.2 s}. */
    public static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / (double) TimeUnit.SECONDS.toNanos(1));
    }

    /** {@code [######------]}. */
    public static String bar(double fraction, int width) {
        int filled = (int) Math.round(Math.max(0, Math.min(1, fraction)) * width);
        return "[" + "#".repeat(filled) + "-".repeat(width - filled) + "]";
    }

    /** A number as the height of a column, beside the most that there is: blank for none, then in four steps up to a hash. */
    public static char level(long number, long most) {
        return LEVELS.charAt((int) Math.ceil((LEVELS.length() - 1) * number / (double) Math.max(1, most)));
    }

    /** The greatest of these; 0 if all are less. */
    public static long most(long[] numbers) {
        return Arrays.stream(numbers).reduce(0, Math::max);
    }

    /** The text in lines of at most this width where its words allow it, all but the first one indented. */
    public static Stream<String> wrap(String text, int width, int indent) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > width) {
            int cut = rest.lastIndexOf(' ', width);
            if (rest.substring(0, Math.max(cut, 0)).isBlank()) {
                cut = width;
            }
            lines.add(rest.substring(0, cut));
            rest = " ".repeat(indent) + rest.substring(cut).stripLeading();
        }
        lines.add(rest);
        return lines.stream();
    }

    /** {@code 1 command}, {@code 2 commands}. */
    public static String plural(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }
}
