package io.holdfast.lock.tests.history;

import java.util.ArrayList;
import java.util.List;

/**
 * What a call may lead to.
 *
 * @param states what the lock may be afterwards; none if the call is impossible
 * @param reason why it is impossible, or empty
 */
record Step(List<LockState> states, String reason) {

    static Step to(LockState state) {
        return new Step(List.of(state), "");
    }

    static Step to(List<LockState> states) {
        return new Step(states, "");
    }

    static Step impossible(String reason) {
        return new Step(List.of(), reason);
    }

    /** Either of the two. */
    Step or(Step other) {
        List<LockState> both = new ArrayList<>(states);
        both.addAll(other.states);
        return new Step(both, both.isEmpty() ? reason + "; " + other.reason : "");
    }
}
