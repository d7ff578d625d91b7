package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.engine.call.Pending;

/** What one store is asked. */
public interface Question<T> {

    /** Asks; the result is settled within a command timeout of each call. */
    <P extends Pending<T>> P ask(P result);
}
