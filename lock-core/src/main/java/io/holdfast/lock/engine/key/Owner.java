package io.holdfast.lock.engine.key;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a hold within this client: a thread, or a handle that is its own owner.
 *
 * @param id the thread's id, or the handle's number
 * @param standalone whether it is the hold itself, and no thread
 */
public record Owner(long id, boolean standalone) {

    /** Cache of recent thread owners. A collision costs one allocation. */
    private static final @Nullable Owner[] RECENT = new Owner[64];

    public static Owner thread(long threadId) {
        int place = (int) threadId & (RECENT.length - 1);
        Owner owner = RECENT[place];
        if (owner == null || owner.id != threadId) {
            owner = new Owner(threadId, false);
            RECENT[place] = owner;
        }
        return owner;
    }

    public static Owner standalone(AtomicLong numbers) {
        return new Owner(numbers.incrementAndGet(), true);
    }

    /** The owner's part of a field: {@code 17} for a thread, {@code h17} for a handle. */
    public String text() {
        return standalone ? "h" + id : Long.toString(id);
    }

    /** By hand, like the next: on JDK 17 the generated ones keep this class, and so its loader, alive for ever. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Owner that && id == that.id && standalone == that.standalone;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(id) + Boolean.hashCode(standalone);
    }

    /** For messages. */
    public String describe() {
        return standalone ? "handle " + id : "thread " + id;
    }
}
