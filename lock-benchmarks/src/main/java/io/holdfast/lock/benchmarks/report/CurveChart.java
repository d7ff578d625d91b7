package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;

/** Curves of several peers over one axis, values on a logarithmic scale. */
final class CurveChart {

    private static final int WIDTH = 480;
    private static final int HEIGHT = 270;
    private static final int LEFT = 58;
    private static final int RIGHT = 468;
    private static final int TOP = 28;
    private static final int BOTTOM = 234;

    private final String title;
    private final String across;
    private final Map<PeerKind, List<double[]>> curves = new LinkedHashMap<>();
    private final List<double[]> marks = new ArrayList<>();
    private DoubleFunction<String> valueText = Text::exact;
    private DoubleFunction<String> markText = Text::exact;
    private boolean dots;

    /**
     * @param title what is drawn upwards
     * @param across what is drawn to the right
     */
    CurveChart(String title, String across) {
        this.title = title;
        this.across = across;
    }

    /** Adds a mark to the axis: where it is, from 0 to 1, and what it stands for. */
    CurveChart mark(double place, double value) {
        marks.add(new double[] {place, value});
        return this;
    }

    /** How marks on the axis are written. */
    CurveChart marksAs(DoubleFunction<String> text) {
        markText = text;
        return this;
    }

    /** How values are written. */
    CurveChart valuesAs(DoubleFunction<String> text) {
        valueText = text;
        return this;
    }

    /** Shows each point. */
    CurveChart withDots() {
        dots = true;
        return this;
    }

    /** Adds a point: where it is on the axis, from 0 to 1, and its value. */
    CurveChart point(PeerKind peer, double place, double value) {
        if (value > 0) {
            curves.computeIfAbsent(peer, kind -> new ArrayList<>()).add(new double[] {place, value});
        }
        return this;
    }

    boolean isEmpty() {
        return curves.isEmpty();
    }

    @Override
    public String toString() {
        Svg svg = new Svg(WIDTH, HEIGHT, title + " by " + across);
        double least = curves.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[1])
                .min()
                .orElse(1);
        double most = curves.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> point[1])
                .max()
                .orElse(10);
        Scale values = Scale.logarithmic(least, most, BOTTOM, TOP);
        svg.text(0, 13, title, "start", "label");
        for (double mark : values.marks()) {
            svg.line(LEFT, values.at(mark), RIGHT, values.at(mark), "grid");
            svg.text(LEFT - 6, values.at(mark) + 4, valueText.apply(mark), "end", "tick");
        }
        for (double[] mark : marks) {
            svg.line(x(mark[0]), BOTTOM, x(mark[0]), BOTTOM + 4, "axis");
            svg.text(x(mark[0]), BOTTOM + 18, markText.apply(mark[1]), mark[0] > 0.97 ? "end" : "middle", "tick");
        }
        svg.line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis");
        svg.text(RIGHT, HEIGHT - 3, across, "end", "label");
        curves.forEach((peer, points) -> draw(svg, peer, points, values));
        return svg.toString();
    }

    private void draw(Svg svg, PeerKind peer, List<double[]> points, Scale values) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            path.append(path.length() == 0 ? "" : " ")
                    .append(Svg.coordinate(x(point[0])))
                    .append(',')
                    .append(Svg.coordinate(values.at(point[1])));
        }
        svg.path(path.toString(), Style.line(peer));
        if (dots) {
            points.forEach(point -> svg.dot(
                    x(point[0]), values.at(point[1]), Style.of(peer), peer.title() + ": " + valueText.apply(point[1])));
        }
    }

    private static double x(double place) {
        return LEFT + place * (RIGHT - LEFT);
    }
}
