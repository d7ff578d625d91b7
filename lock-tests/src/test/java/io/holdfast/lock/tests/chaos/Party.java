package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.history.Outcome;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A client of some library, whose locks the lanes of a load take. */
interface Party extends AutoCloseable {

    /** The calls of one thread. */
    Lane lane(String name, Seen.Sink sink);

    @Override
    void close();

    /** A thread that takes locks. */
    interface Lane {
        /** Takes the lock in one of the library's ways; null if it was not granted. */
        @Nullable
        Taken take(String lock, Duration wait, Random random) throws InterruptedException;
    }

    /** A lock that was granted. */
    interface Taken {

        /** The fencing token; 0 if there is none. */
        long token();

        /** Whether others are kept out, readers too. */
        boolean isExclusive();

        /** Looks whether it is still held; a loss is written down. */
        boolean look();

        /** Takes it once more and gives that level back. */
        void again();

        Outcome release();
    }
}
