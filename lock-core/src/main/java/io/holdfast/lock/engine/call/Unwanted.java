package io.holdfast.lock.engine.call;

/** A result for which no caller waits. */
public final class Unwanted<T> extends Pending<T> {

    @Override
    public void onSettled() {}
}
