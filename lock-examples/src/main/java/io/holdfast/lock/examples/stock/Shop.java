package io.holdfast.lock.examples.stock;

import java.util.Optional;

/**
 * A shop whose stock is a number in Redis. A sale reads the number and writes it back lowered by one, in two steps, so
 * at most one buyer may be in the shop at a time. The implementations differ in how they see to that.
 */
interface Shop extends AutoCloseable {

    /** The stock as it is now. */
    int readStock();

    /** Waits for a turn; empty if there was none before the deadline on the monotonic clock. */
    Optional<Visit> enter(long deadlineNanos) throws InterruptedException;

    @Override
    void close();

    /** One buyer's time in the shop. */
    interface Visit {

        /** The stock, read by whose turn it is. */
        int readStock();

        /** Writes the stock; false if the write was refused because this visit is over without the buyer's knowing. */
        boolean writeStock(int stock);

        void leave();
    }
}
