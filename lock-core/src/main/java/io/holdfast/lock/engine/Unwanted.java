package io.holdfast.lock.engine;

/** A result for which nobody waits. */
final class Unwanted<T> extends Pending<T> {

    @Override
    void onSettled() {}
}
