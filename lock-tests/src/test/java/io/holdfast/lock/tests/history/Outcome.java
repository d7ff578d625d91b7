package io.holdfast.lock.tests.history;

/** What became of a call, as its caller was told. */
public enum Outcome {
    /** It was done. */
    OK,
    /** The lock was not taken because, at some moment of the call, somebody else held it. */
    REFUSED,
    /** The caller's hold had ended by itself before. */
    LOST,
    /** It was not done, and that says nothing about the lock. */
    FAIL,
    /** Nobody knows: it may have been done at any time since it was asked for, may still be done, or never. */
    UNKNOWN
}
