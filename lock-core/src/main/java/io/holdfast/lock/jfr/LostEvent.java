package io.holdfast.lock.jfr;

import jdk.jfr.Category;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A hold was lost. */
@Name("io.holdfast.lock.Lost")
@Label("Lock Lost")
@Category("Holdfast")
@StackTrace(false)
final class LostEvent extends OfHold {

    @Label("Reason")
    String reason = "";

    @Label("Detail")
    String detail = "";
}
