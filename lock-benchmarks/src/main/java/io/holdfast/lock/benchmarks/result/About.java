package io.holdfast.lock.benchmarks.result;

import java.util.Locale;

/**
 * What a workload is.
 *
 * @param name how it is called on the command line
 * @param family workloads that belong together, such as the points of a scaling curve
 * @param title how it is called in the report
 * @param explanation what is done and what is measured, in a sentence or two
 * @param figures the metric that tells most about it
 * @param x its place on the axis of its family's curve; 0 where there is none
 */
public record About(String name, String family, String title, String explanation, Metric figures, int x) {

    public About {
        if (!name.equals(name.toLowerCase(Locale.ROOT)) || name.contains(" ")) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: lower case, no blanks)");
        }
    }

    /** A workload for itself. */
    public static About of(String name, String title, String explanation, Metric figures) {
        return new About(name, name, title, explanation, figures, 0);
    }

    /** Whether it is a point of a curve, and shown with the others of its family. */
    public boolean isPoint() {
        return x > 0;
    }
}
