package io.holdfast.lock.benchmarks.report;

import java.util.Locale;

/** A drawing under construction. Colours come from the page's style sheet, by class, so that they suit light and dark. */
final class Svg {

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;
    private final String label;

    /**
     * @param label what is drawn, for those who can't see it
     */
    Svg(int width, int height, String label) {
        this.width = width;
        this.height = height;
        this.label = label;
    }

    Svg line(double x1, double y1, double x2, double y2, String style) {
        return add("<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" class=\"%s\"/>", x1, y1, x2, y2, style);
    }

    Svg box(double x, double y, double boxWidth, double boxHeight, String style) {
        return add(
                "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"%s\"/>", x, y, boxWidth, boxHeight, style);
    }

    /** A bar with a text that appears when it is pointed at. */
    Svg bar(double x, double y, double boxWidth, double boxHeight, String style, String hint) {
        return add(
                "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"3\" class=\"%s\"><title>%s</title></rect>",
                x, y, boxWidth, boxHeight, style, escape(hint));
    }

    Svg dot(double x, double y, String style, String hint) {
        return add(
                "<circle cx=\"%s\" cy=\"%s\" r=\"3\" class=\"%s\"><title>%s</title></circle>",
                x, y, style, escape(hint));
    }

    /** A line through points that are given as {@code x,y x,y}. */
    Svg path(String points, String style) {
        return add("<polyline points=\"%s\" class=\"%s\"/>", points, style);
    }

    /**
     * @param anchor {@code start}, {@code middle} or {@code end}
     */
    Svg text(double x, double y, String text, String anchor, String style) {
        return add(
                "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" class=\"%s\">%s</text>", x, y, anchor, style, escape(text));
    }

    private Svg add(String pattern, Object... parts) {
        Object[] written = parts.clone();
        for (int i = 0; i < written.length; i++) {
            if (written[i] instanceof Number number) {
                written[i] = coordinate(number.doubleValue());
            }
        }
        body.append(String.format(Locale.ROOT, pattern, written)).append('\n');
        return this;
    }

    /** With a tenth of a pixel, which is more than anybody sees. */
    static String coordinate(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return "<svg viewBox=\"0 0 " + width + " " + height + "\" role=\"img\" aria-label=\"" + escape(label) + "\">\n"
                + body + "</svg>\n";
    }
}
