package io.holdfast.lock.spi;

/** An open subscription to a channel. */
public interface Subscription {

    /** Ends the subscription; idempotent. No wake-up starts after it returns, save one already under way. */
    void close();
}
