package io.holdfast.lock.spi;

/** A step that is due later. */
public interface Timer {

    /** Forgets the step; harmless if it already ran. */
    void cancel();
}
