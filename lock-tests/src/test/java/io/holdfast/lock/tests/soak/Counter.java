package io.holdfast.lock.tests.soak;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A number in the store that one lock guards, and that takes no writes with old tokens. */
final class Counter {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final FencedValue value;

    Counter(FencedValue value) {
        this.value = value;
    }

    /** What became of a write. */
    enum Written {
        YES,
        NO,
        PERHAPS
    }

    /** What is stored; empty if that could not be had. */
    Optional<Long> read(long token) {
        try {
            return Optional.of(value.get(token).map(Long::parseLong).orElse(0L));
        } catch (LockOutcomeUnknownException | LockUnavailableException trouble) {
            return Optional.empty();
        }
    }

    /** Writes; repeats it, as one may, until the outcome is known. */
    Written write(long number, long token) {
        long startNanos = System.nanoTime();
        boolean perhaps = false;
        do {
            try {
                if (value.set(Long.toString(number), token)) {
                    return Written.YES;
                }
                // Refused: somebody newer has read or written. An earlier try may have come before that.
                return perhaps ? Written.PERHAPS : Written.NO;
            } catch (LockOutcomeUnknownException unknown) {
                perhaps = true;
            } catch (LockUnavailableException trouble) {
                Pause.millis(20);
            }
        } while (System.nanoTime() - startNanos < PATIENCE_NANOS);
        return perhaps ? Written.PERHAPS : Written.NO;
    }
}
