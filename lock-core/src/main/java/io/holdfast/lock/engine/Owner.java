package io.holdfast.lock.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Who owns a hold within this client: a thread, or a handle that is its own owner.
 *
 * @param id the thread's id, or the handle's number
 * @param handle which of the two
 */
record Owner(long id, boolean handle) {

    static Owner thread(long threadId) {
        return new Owner(threadId, false);
    }

    static Owner handle(AtomicLong numbers) {
        return new Owner(numbers.incrementAndGet(), true);
    }

    /** The owner's part of a field: {@code 17} for a thread, {@code h17} for a handle. */
    String text() {
        return handle ? "h" + id : Long.toString(id);
    }

    /** For messages. */
    String describe() {
        return handle ? "handle " + id : "thread " + id;
    }
}
