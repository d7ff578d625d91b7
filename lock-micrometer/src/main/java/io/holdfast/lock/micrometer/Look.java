package io.holdfast.lock.micrometer;

import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A look at clients that several gauges share. One that saw much is used again for ten times as long as it took, so the gauges of a
 * scrape cost one look and not a hundred. One that saw little is cheap, and is never used again: no gauge is behind then.
 */
final class Look<T> {

    private static final int MUCH = 1_000;
    private static final int REUSED = 10;

    private final Supplier<T> look;
    private final ToIntFunction<T> size;
    private @Nullable T kept;
    private long untilNanos;

    /** {@code size} tells how many things a look saw. */
    Look(Supplier<T> look, ToIntFunction<T> size) {
        this.look = look;
        this.size = size;
    }

    synchronized T now() {
        long beginNanos = System.nanoTime();
        T last = kept;
        if (last != null && beginNanos - untilNanos < 0) {
            return last;
        }
        T fresh = look.get();
        long endNanos = System.nanoTime();
        kept = size.applyAsInt(fresh) < MUCH ? null : fresh;
        untilNanos = endNanos + REUSED * (endNanos - beginNanos);
        return fresh;
    }
}
