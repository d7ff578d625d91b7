package io.holdfast.lock.engine.call;

/** A result for which nobody waits. */
public final class Unwanted<T> extends Pending<T> {

    @Override
    public void onSettled() {}
}
