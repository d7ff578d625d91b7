package io.holdfast.lock;

import java.time.Duration;
import java.util.OptionalLong;

/** The asynchronous twins of {@link RSignal}'s methods. Cancelling the future of an await ends it. */
public interface RSignalAsync {

    /** As {@link RSignal#current()}. */
    RFuture<Long> currentAsync();

    /** As {@link RSignal#send()}. */
    RFuture<Long> sendAsync();

    /** As {@link RSignal#await(long, Duration)}. */
    RFuture<OptionalLong> awaitAsync(long after, Duration limit);
}
