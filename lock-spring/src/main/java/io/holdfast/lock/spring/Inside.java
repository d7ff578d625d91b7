package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls under locks within which something runs, the innermost first. Immutable. It goes down with the thread, with the
 * context of a reactive chain, or with that of a coroutine, and never into another thread by itself.
 *
 * @param checked whether a loss matters, so that no transaction may commit after it
 */
record Inside(Grip grip, boolean checked, @Nullable Inside outer) {

    private static final ThreadLocal<@Nullable Inside> THREAD = new ThreadLocal<>();

    /** That of this thread. */
    static @Nullable Inside ofThread() {
        return THREAD.get();
    }

    /**
     * This thread is inside from now on, or outside if it is null.
     *
     * @return what to set when that is over
     */
    static @Nullable Inside set(@Nullable Inside inside) {
        Inside before = THREAD.get();
        if (inside == null) {
            THREAD.remove();
        } else {
            THREAD.set(inside);
        }
        return before;
    }

    /** The holding that covers this key and encloses something, with the caller as one more user; null if there is none. */
    static @Nullable Holding join(@Nullable Inside inside, LockClient client, String key, Kind kind) {
        for (Inside at = inside; at != null; at = at.outer) {
            for (Holding holding : at.grip.holdings()) {
                if (holding.join(client, key, kind)) {
                    return holding;
                }
            }
        }
        return null;
    }

    /** The holding of this key that encloses something, as a kind that does not cover this one; null if there is none. */
    static @Nullable Holding keepingOut(@Nullable Inside inside, LockClient client, String key, Kind kind) {
        for (Inside at = inside; at != null; at = at.outer) {
            for (Holding holding : at.grip.holdings()) {
                if (holding.keepsOut(client, key, kind)) {
                    return holding;
                }
            }
        }
        return null;
    }

    /** The grip that is called so, the innermost one; null if there is none. */
    static @Nullable Grip find(@Nullable Inside inside, String name) {
        for (Inside at = inside; at != null; at = at.outer) {
            if (at.grip.isCalled(name)) {
                return at.grip;
            }
        }
        return null;
    }

    /** The keys that are held, for messages. */
    static List<String> keys(@Nullable Inside inside) {
        List<String> keys = new ArrayList<>();
        for (Inside at = inside; at != null; at = at.outer) {
            at.grip.holdings().stream().filter(Holding::isUsed).forEach(holding -> keys.addAll(holding.keys()));
        }
        return keys;
    }
}
