package io.holdfast.lock.examples.stock;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The pauses that buyers make. */
final class Pause {

    private Pause() {}

    /** Between two looks at a lock that does not call back: 5 to 15 ms, so that the buyers do not march in step. */
    static void beforeLookingAgain() throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(5_000, 15_000));
    }

    /** Between reading the price and paying: this long on average. */
    static void toThink(long micros) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(micros / 2, micros * 3 / 2 + 1));
    }
}
