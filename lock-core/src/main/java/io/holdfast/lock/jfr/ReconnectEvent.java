package io.holdfast.lock.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection was lost and is ready again; its duration is the gap. */
@Name("io.holdfast.lock.Reconnect")
@Label("Lock Server Reconnect")
@Category("Holdfast")
@StackTrace(false)
final class ReconnectEvent extends Event {

    @Label("Node")
    String node = "";

    @Label("Purpose")
    String purpose = "";

    @Label("Reason")
    String reason = "";

    @Label("Failed Over")
    boolean failedOver;
}
