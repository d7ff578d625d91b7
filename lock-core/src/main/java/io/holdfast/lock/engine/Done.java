package io.holdfast.lock.engine;

/** The value of a call that has nothing to say but that it is done. */
enum Done {
    DONE
}
