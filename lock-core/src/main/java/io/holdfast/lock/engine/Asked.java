package io.holdfast.lock.engine;

/** A request for a lock that is on its way to its stores. */
interface Asked {

    /** Takes back what has not been written yet; true if nothing was, so that the request has no effect anywhere. */
    boolean takeBack();
}
