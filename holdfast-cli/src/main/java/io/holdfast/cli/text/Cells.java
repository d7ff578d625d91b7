package io.holdfast.cli.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Text of a certain width, in columns of a terminal, and durations as short as a column wants them. */
public final class Cells {

    private static final String CUT = "~";
    private static final long MINUTE_SECONDS = 60;
    private static final long HOUR_SECONDS = 3_600;
    private static final long DAY_SECONDS = 86_400;
    private static final int TENTH_MILLIS = 100;

    private Cells() {}

    /** {@code 850ms}, {@code 12.3s}, {@code 4m05s}, {@code 2h03m}, {@code 3d04h}. */
    public static String shortly(Duration duration) {
        if (duration.isNegative()) {
            return "0ms";
        }
        long seconds = duration.toSeconds();
        if (seconds == 0) {
            return duration.toMillis() + "ms";
        }
        if (seconds < MINUTE_SECONDS) {
            return seconds + "." + duration.toMillisPart() / TENTH_MILLIS + "s";
        }
        if (seconds < HOUR_SECONDS) {
            return pair(seconds / MINUTE_SECONDS, "m", seconds % MINUTE_SECONDS, "s");
        }
        if (seconds < DAY_SECONDS) {
            return pair(seconds / HOUR_SECONDS, "h", seconds % HOUR_SECONDS / MINUTE_SECONDS, "m");
        }
        return pair(seconds / DAY_SECONDS, "d", seconds % DAY_SECONDS / HOUR_SECONDS, "h");
    }

    private static String pair(long great, String unit, long small, String smallUnit) {
        return great + unit + (small < 10 ? "0" : "") + small + smallUnit;
    }

    /** The text in exactly so many columns: cut, or filled up with blanks. */
    public static String fit(String text, int width) {
        String cut = cut(text, width);
        return cut + " ".repeat(Math.max(0, width - width(cut)));
    }

    /** The same, with the blanks before it. */
    public static String right(String text, int width) {
        String cut = cut(text, width);
        return " ".repeat(Math.max(0, width - width(cut))) + cut;
    }

    /** The text in at most so many columns; one that is cut ends with a tilde. */
    public static String cut(String text, int width) {
        if (width(text) <= width) {
            return text;
        }
        StringBuilder cut = new StringBuilder();
        int used = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            used += width(character);
            if (used > width - 1) {
                break;
            }
            cut.appendCodePoint(character);
            i += Character.charCount(character);
        }
        return width <= 0 ? "" : cut + CUT;
    }

    /** The text in lines of at most so many characters, cut at blanks where there are any. */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > width) {
            int cut = rest.lastIndexOf(' ', width);
            lines.add(rest.substring(0, cut > 0 ? cut : width));
            rest = rest.substring(cut > 0 ? cut : width).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    /** How many columns the text takes. */
    public static int width(String text) {
        return text.codePoints().map(Cells::width).sum();
    }

    private static int width(int character) {
        int type = Character.getType(character);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        return isWide(character) ? 2 : 1;
    }

    private static boolean isWide(int character) {
        return between(character, 0x1100, 0x115f)
                || between(character, 0x2e80, 0xa4cf)
                || between(character, 0xac00, 0xd7a3)
                || between(character, 0xf900, 0xfaff)
                || between(character, 0xfe30, 0xfe6f)
                || between(character, 0xff00, 0xff60)
                || between(character, 0x1f300, 0x1faff)
                || between(character, 0x20000, 0x3fffd);
    }

    private static boolean between(int character, int first, int last) {
        return character >= first && character <= last;
    }
}
