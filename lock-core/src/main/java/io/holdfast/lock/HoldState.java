package io.holdfast.lock;

/** The state of a hold, as far as the client knows. {@code RELEASED} and {@code LOST} are final. */
public enum HoldState {
    /** Valid. */
    HELD,
    /** Still valid, but the last renewal failed; the next one may succeed. */
    UNCERTAIN,
    /** No longer valid, and not by a release. */
    LOST,
    /** Given back by its owner. */
    RELEASED
}
