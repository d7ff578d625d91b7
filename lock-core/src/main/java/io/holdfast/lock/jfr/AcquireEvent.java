package io.holdfast.lock.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** A call that wanted a lock, from its start to its end. */
@Name("io.holdfast.lock.Acquire")
@Label("Lock Acquisition")
@Category("Holdfast")
@StackTrace(false)
@Threshold("20 ms")
final class AcquireEvent extends Event {

    @Label("Lock")
    String lock = "";

    @Label("Owner")
    String owner = "";

    @Label("Caller")
    Thread caller = Thread.currentThread();

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    /** {@code ACQUIRED}, {@code HANDED_OVER}, {@code REENTERED}, or why it was refused. */
    @Label("Outcome")
    String outcome = "";
}
