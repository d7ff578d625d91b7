package io.holdfast.lock;

/** What is known of a hold. {@code RELEASED} and {@code LOST} are final. */
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
