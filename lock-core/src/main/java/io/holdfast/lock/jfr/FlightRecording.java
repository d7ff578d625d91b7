package io.holdfast.lock.jfr;

import io.holdfast.lock.LockListener;

/**
 * The listener that writes into a flight recording. It never waits and runs no code of others, so it is told at once, on the
 * thread where it happens.
 */
public interface FlightRecording extends LockListener {

    /** Whether a recording runs that takes any of this. Cheap: asked at every call. */
    boolean isOn();

    /** A listener for one client; where this Java has no flight recorder, one that is never on. */
    static FlightRecording ofThisJava() {
        return isPresent() ? new JfrRecording() : () -> false;
    }

    private static boolean isPresent() {
        try {
            Class.forName("jdk.jfr.FlightRecorder", false, FlightRecording.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }
}
