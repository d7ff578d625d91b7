package io.holdfast.lock.spi;

/** A result that a caller waits for. */
public interface Awaited {

    /** True once it has come. */
    boolean isDone();

    /**
     * True if an answer of the server is all that is missing, so that it may come any moment. Not where others have to
     * give something back first, or a fault has to pass. That may turn out while the caller waits.
     */
    boolean needsOnlyAnAnswer();
}
