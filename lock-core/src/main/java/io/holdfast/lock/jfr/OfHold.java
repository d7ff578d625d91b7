package io.holdfast.lock.jfr;

import jdk.jfr.Event;
import jdk.jfr.Label;

/** What all events of a hold have. */
abstract class OfHold extends Event {

    @Label("Lock")
    String lock = "";

    @Label("Owner")
    String owner = "";

    @Label("Fencing Token")
    long fencingToken;
}
