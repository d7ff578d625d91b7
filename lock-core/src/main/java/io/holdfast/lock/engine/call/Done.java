package io.holdfast.lock.engine.call;

/** The value of a call that has nothing to say but that it is done. */
public enum Done {
    DONE
}
