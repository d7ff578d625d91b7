package io.holdfast.lock.jfr;

import jdk.jfr.Category;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A renewal of a hold failed; it is repeated. */
@Name("io.holdfast.lock.RenewalFailed")
@Label("Lock Renewal Failed")
@Category("Holdfast")
@StackTrace(false)
final class RenewalFailedEvent extends OfHold {

    @Label("Reason")
    String reason = "";

    @Label("Detail")
    String detail = "";
}
