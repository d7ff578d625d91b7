package io.holdfast.lock.tests.support;

import java.time.Duration;
import java.util.OptionalLong;

/** One owner that takes and releases one lock, in whatever form; each call returns when it is over. */
public interface Party extends AutoCloseable {

    void lock() throws InterruptedException;

    void lock(Duration lease) throws InterruptedException;

    boolean tryLock() throws InterruptedException;

    boolean tryLock(Duration wait) throws InterruptedException;

    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    void unlock();

    /** Whether this owner holds the lock, as far as its client knows. */
    boolean holds();

    /** How many times. */
    int holdCount();

    /** The fencing token of its hold, where the form tells it. */
    OptionalLong token();

    @Override
    void close();
}
