package io.holdfast.lock.jfr;

import jdk.jfr.Category;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** A hold, from its grant to its end. */
@Name("io.holdfast.lock.Hold")
@Label("Lock Hold")
@Category("Holdfast")
@StackTrace(false)
@Threshold("20 ms")
final class HoldEvent extends OfHold {

    @Label("Held")
    @Timespan(Timespan.NANOSECONDS)
    long held;

    /** {@code RELEASED}, {@code TRANSFERRED} or {@code LOST}. */
    @Label("Outcome")
    String outcome = "";
}
