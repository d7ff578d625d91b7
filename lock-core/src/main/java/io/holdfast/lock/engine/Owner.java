package io.holdfast.lock.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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

    /** By hand, like the next: on JDK 17 the generated ones keep this class, and so its loader, alive for ever. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Owner that && id == that.id && handle == that.handle;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(id) + Boolean.hashCode(handle);
    }

    /** For messages. */
    String describe() {
        return handle ? "handle " + id : "thread " + id;
    }
}
