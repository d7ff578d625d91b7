package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** A row over time: a lane for each thread, bars for what it held, faults as bands behind them. */
final class Timeline {

    static final String LEGEND =
            """
            <svg width="0" height="0" style="position:absolute"><defs><pattern id="stale" width="5" height="5" \
            patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="1.6" height="5" \
            fill="var(--lost)" opacity=".75"/></pattern></defs></svg>
            <div class="legend">
            <span><svg width="30" height="14"><rect class="hold" style="--hue:210" y="1" width="30" height="12" rx="2"/>\
            </svg>holds the lock</span>
            <span><svg width="30" height="14"><rect class="aside" style="--hue:210" x="1" y="2" width="28" height="10" \
            rx="2"/></svg>holds another lock</span>
            <span><svg width="30" height="14"><rect class="wait" y="5" width="30" height="4"/></svg>waits</span>
            <span><svg width="30" height="14"><rect class="after" y="2" width="30" height="10"/></svg>no longer valid, and \
            its owner has not ended it</span>
            <span><svg width="16" height="14"><path class="lost" d="M3 2l10 10M13 2l-10 10"/></svg>loss told</span>
            <span><svg width="16" height="14"><circle class="unknown" cx="8" cy="7" r="4"/></svg>outcome unknown</span>
            <span><svg width="16" height="14"><path class="refused" d="M8 1l6 6-6 6-6-6z"/></svg>stale write refused</span>
            <span><svg width="30" height="14"><rect class="band" width="30" height="14"/><path class="edge" \
            d="M.5 0v14M29.5 0v14"/></svg>fault</span>
            </div>
            """;

    private static final int LANE = 22;
    private static final int TOP = 40;
    private static final int LEAST_WIDTH = 1_060;
    private static final double PIXELS_PER_SECOND = 70;
    private static final int WIDEST = 6_000;
    private static final int[] HUES = {210, 150, 30, 275, 340, 185, 55, 240, 5, 110};
    private static final String MAIN_LOCK = "job";

    private final RowResult result;
    private final List<String> lanes;
    private final long begin;
    private final long end;
    private final double width;
    private final StringBuilder svg = new StringBuilder();

    Timeline(RowResult result) {
        this.result = result;
        this.lanes = lanesOf(result);
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Seen seen : result.entries()) {
            long nanos = seen instanceof Seen.Fault fault ? fault.fromNanos() : Holds.nanos(seen);
            if (nanos != Long.MIN_VALUE) {
                first = Math.min(first, nanos);
                last = Math.max(last, seen instanceof Seen.Fault fault ? fault.toNanos() : nanos);
            }
        }
        this.begin = first;
        this.end = Math.max(last, first + 1);
        this.width = Math.min(WIDEST, Math.max(LEAST_WIDTH, (end - begin) / 1e9 * PIXELS_PER_SECOND));
    }

    /** Threads of this process first, by when they came; then those of the load. */
    private static List<String> lanesOf(RowResult result) {
        List<String> own = new ArrayList<>();
        TreeSet<String> load = new TreeSet<>();
        for (Seen seen : result.entries()) {
            if (seen instanceof Seen.Asked call) {
                if (call.lane().startsWith("jvm-")) {
                    load.add(call.lane());
                } else if (!own.contains(call.lane())) {
                    own.add(call.lane());
                }
            }
        }
        own.addAll(load);
        return own;
    }

    /** Empty for a row whose calls were too many to be written down one by one. */
    String html() {
        if (lanes.isEmpty()) {
            return "";
        }
        double height = TOP + lanes.size() * LANE + 22;
        StringBuilder names = new StringBuilder("<div style=\"height:" + TOP + "px\"></div>");
        lanes.forEach(lane -> names.append("<div>").append(Report.escape(lane)).append("</div>"));
        add(
                "<svg width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"timeline of row %s\">",
                width, height, result.row().name());
        backs();
        ticks();
        faults();
        waits();
        result.holds().forEach(this::hold);
        marks();
        svg.append("</svg>");
        return "<div class=\"timeline\"><div class=\"lanes\">" + names + "</div><div class=\"scroll\">" + svg
                + "</div></div>\n";
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private double x(long nanos) {
        return (nanos - begin) * (width - 2) / (end - begin) + 1;
    }

    private double y(String lane) {
        return TOP + lanes.indexOf(lane) * LANE;
    }

    private void backs() {
        for (int i = 0; i < lanes.size(); i++) {
            add(
                    "<rect class=\"back\" x=\"0\" y=\"%d\" width=\"%.0f\" height=\"%d\"/>",
                    TOP + i * LANE + 1, width, LANE - 2);
        }
    }

    private void ticks() {
        double seconds = (end - begin) / 1e9;
        double step = 0.1;
        for (double wider : new double[] {0.2, 0.5, 1, 2, 5, 10, 20, 60}) {
            if (seconds / step * 56 > width) {
                step = wider;
            }
        }
        int bottom = TOP + lanes.size() * LANE;
        for (double at = 0; at <= seconds; at += step) {
            double x = x(begin + (long) (at * 1e9));
            add("<path class=\"tick\" d=\"M%.1f %dV%d\"/>", x, TOP, bottom + 4);
            add("<text x=\"%.1f\" y=\"%d\">%s s</text>", Math.min(x, width - 26), bottom + 16, number(at));
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private void faults() {
        int bottom = TOP + lanes.size() * LANE;
        double[] free = {0, 0};
        for (Seen.Fault fault : result.entries().stream()
                .filter(Seen.Fault.class::isInstance)
                .map(Seen.Fault.class::cast)
                .sorted(Comparator.comparingLong(Seen.Fault::fromNanos))
                .toList()) {
            double from = x(fault.fromNanos());
            double wide = Math.max(1.5, x(fault.toNanos()) - from);
            add(
                    "<g><title>%s: %s to %s</title><rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
                            + "<path class=\"edge\" d=\"M%.1f %dV%dM%.1f %dV%d\"/></g>",
                    Report.escape(fault.label()),
                    millis(fault.fromNanos()),
                    millis(fault.toNanos()),
                    from,
                    TOP - 2,
                    wide,
                    bottom - TOP + 2,
                    from,
                    TOP - 2,
                    bottom,
                    from + wide,
                    TOP - 2,
                    bottom);
            double text = fault.label().length() * 6.2;
            double at = Math.max(0, Math.min(from, width - text));
            for (int line = 0; line < free.length; line++) {
                if (free[line] <= at) {
                    free[line] = at + text + 14;
                    add(
                            "<text class=\"fault\" x=\"%.1f\" y=\"%d\">%s</text>",
                            at, TOP - 8 - 15 * line, Report.escape(fault.label()));
                    break;
                }
            }
        }
    }

    private void waits() {
        Map<String, Seen.Asked> asked = new HashMap<>();
        for (Seen seen : result.entries()) {
            if (seen instanceof Seen.Asked call && call.call() == Call.ACQUIRE) {
                asked.put(call.id(), call);
            }
        }
        for (Seen seen : result.entries()) {
            if (seen instanceof Seen.Answered answer && asked.containsKey(answer.id())) {
                Seen.Asked call = asked.get(answer.id());
                double from = x(call.nanos());
                double wide = x(answer.nanos()) - from;
                if (wide > 1) {
                    add(
                            "<rect class=\"wait\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"3\"><title>%s</title></rect>",
                            from,
                            y(call.lane()) + LANE / 2.0 - 1.5,
                            wide,
                            Report.escape(call.lane() + " waits for '" + call.lock() + "' for "
                                    + Checks.millis(answer.nanos() - call.nanos()) + ": "
                                    + answer.outcome().name().toLowerCase(Locale.ROOT) + " " + answer.reason()));
                }
            }
        }
    }

    private void hold(Hold hold) {
        double from = x(hold.fromNanos());
        double to = x(hold.toNanos());
        double after = x(hold.endNanos());
        double y = y(hold.lane());
        String title = String.format(
                Locale.ROOT,
                "%s held '%s' from %s to %s (%s), token %d%s, %s",
                hold.lane(),
                hold.lock(),
                millis(hold.fromNanos()),
                millis(hold.toNanos()),
                Checks.millis(hold.toNanos() - hold.fromNanos()),
                hold.token(),
                hold.levels() > 1 ? ", " + hold.levels() + " levels" : "",
                hold.end().name().toLowerCase(Locale.ROOT));
        boolean main = hold.lock().equals(MAIN_LOCK);
        add(
                "<rect class=\"%s\" style=\"--hue:%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"1.5\">"
                        + "<title>%s</title></rect>",
                main ? "hold" : "aside",
                HUES[lanes.indexOf(hold.lane()) % HUES.length],
                from,
                y + 4,
                Math.max(1.2, to - from),
                LANE - 8,
                Report.escape(title));
        if (hold.end() == Hold.End.LOST && after - to > 1) {
            add(
                    "<rect class=\"after\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>",
                    to, y + 5, after - to, LANE - 10, "not valid any more");
        }
        if (main && to - from > 64) {
            add(
                    "<text class=\"token\" x=\"%.1f\" y=\"%.1f\">…%06d</text>",
                    from + 5, y + 14.5, hold.token() % 1_000_000);
        }
    }

    private void marks() {
        Map<String, Seen.Asked> asked = new HashMap<>();
        TreeSet<String> told = new TreeSet<>();
        for (Seen seen : result.entries()) {
            if (seen instanceof Seen.Asked call) {
                asked.put(call.id(), call);
            } else if (seen instanceof Seen.Answered answer && asked.containsKey(answer.id())) {
                Seen.Asked call = asked.get(answer.id());
                if (answer.outcome() == Outcome.UNKNOWN) {
                    add(
                            "<circle class=\"unknown\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s</title></circle>",
                            x(answer.nanos()),
                            y(call.lane()) + LANE / 2.0,
                            Report.escape(
                                    call.lane() + ": " + call.call().name().toLowerCase(Locale.ROOT) + " of '"
                                            + call.lock() + "': " + answer.reason()));
                }
            } else if (seen instanceof Seen.Told loss
                    && lanes.contains(loss.lane())
                    && told.add(loss.lane() + loss.token())) {
                double x = x(loss.nanos());
                double y = y(loss.lane()) + LANE / 2.0;
                add(
                        "<path class=\"lost\" d=\"M%.1f %.1fl10 10m0 -10l-10 10\"><title>%s</title></path>",
                        x - 5,
                        y - 5,
                        Report.escape(loss.lane() + " is told the loss of '" + loss.lock() + "', token " + loss.token()
                                + ": " + loss.reason()));
            } else if (seen instanceof Seen.Wrote wrote && !wrote.accepted() && lanes.contains(wrote.lane())) {
                add(
                        "<path class=\"refused\" d=\"M%.1f %.1fl6 6-6 6-6-6z\"><title>%s</title></path>",
                        x(wrote.nanos()),
                        y(wrote.lane()) + LANE / 2.0 - 6,
                        Report.escape(wrote.lane() + "'s write under token " + wrote.token() + " is refused"));
            }
        }
    }

    private String millis(long nanos) {
        return Checks.millis(nanos - begin);
    }
}
