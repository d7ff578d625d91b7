package io.holdfast.lock.tests.simulation;

import java.util.List;

/**
 * ME: while the validity window of one owner lasts, no other owner is handed the lock. It asks the holds themselves, at the
 * moment of the grant: windows that are written down and compared later would not say which fault excuses which hold.
 */
final class ExclusionChecker {

    /** A hold, by its client's word. */
    interface Window {

        String owner();

        boolean isValid();

        /** Whether a fault has broken what exclusion rests on while it was held (A1, A2). */
        boolean isExcused();
    }

    private final Complaints complaints;
    private long excusedOverlaps;

    ExclusionChecker(Complaints complaints) {
        this.complaints = complaints;
    }

    /** Somebody is told that he has the lock. */
    void handedOut(Window fresh, List<? extends Window> others) {
        for (Window other : others) {
            if (other.owner().equals(fresh.owner()) || !other.isValid()) {
                continue;
            }
            if (other.isExcused() || fresh.isExcused()) {
                excusedOverlaps++;
            } else {
                complaints.broken("ME", fresh + " is handed the lock while it is valid for " + other);
            }
        }
    }

    /** A window had passed: what its client says of it now must not bring it back. */
    void passed(Window window, boolean validAgain) {
        if (validAgain) {
            complaints.broken("ME", window + " is valid again, after its window had passed");
        }
    }

    /** How often two held the lock at once after a fault that breaks what exclusion rests on. */
    long excusedOverlaps() {
        return excusedOverlaps;
    }
}
