package io.holdfast.lock.engine.step;

/** A request for a lock that is on its way to its stores. */
public interface Asked {

    /** Takes back what has not been written yet; true if nothing was, so that the request has no effect anywhere. */
    boolean takeBack();
}
