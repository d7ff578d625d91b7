package io.holdfast.lock.spring;

import io.holdfast.lock.text.Printable;
import org.jspecify.annotations.Nullable;

/** Checks that code runs under the lock that it relies on. */
public final class LockAssert {

    private LockAssert() {}

    /**
     * Does nothing within a {@link Locked} method, or a task of a {@link LockTemplate}, with this key or this name, and throws
     * outside. As which {@link Kind} it is held makes no difference. It follows the thread and the coroutine; within the operators of a reactive chain there is no thread to follow.
     *
     * @throws IllegalStateException if the lock is not held here
     * @throws io.holdfast.lock.LockLostException if it was lost
     */
    public static void assertLocked(String keyOrName) {
        check(Inside.ofThread(), keyOrName);
    }

    static void check(@Nullable Inside inside, String keyOrName) {
        Grip grip = Inside.find(inside, keyOrName);
        if (grip != null) {
            grip.check();
            return;
        }
        Holding kept = Kept.find(keyOrName);
        if (kept == null) {
            String held = String.join(", ", Inside.keys(inside));
            throw new IllegalStateException(Printable.message("lock '" + Printable.of(keyOrName)
                    + "': not held here (expected: within a call under it; held here: "
                    + (held.isEmpty() ? "none" : held) + ")"));
        }
        kept.check();
    }
}
