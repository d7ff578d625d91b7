package io.holdfast.lock.testkit;

import java.nio.file.Path;
import java.time.Duration;

/**
 * One server's process and the place it lives in, through any number of starts. {@link RedisServer} calls it under a
 * lock; only {@link #isAlive()} is asked from elsewhere.
 */
interface ServerProcess extends AutoCloseable {
    enum Signal {
        STOP,
        CONT,
        TERM,
        KILL
    }

    /** Starts the process; it need not answer yet. */
    void start();

    /** Sends a signal and returns once it has taken effect, but for {@code TERM}, which the server may take its time over. */
    void signal(Signal signal);

    boolean isAlive();

    /** Waits for the process to end; false when it still runs after the time given. */
    boolean awaitExit(Duration limit);

    /** The process id on this machine; of the last process when none runs. */
    long pid();

    String host();

    /** Whether {@link #pid()} is also what the server itself believes it is. */
    boolean sharesProcessIds();

    /** Where the server keeps its files, if that is on this machine. */
    Path directory();

    /** Everything that the server has printed since the first start. */
    String log();

    /** Ends the process and removes everything that it left. */
    @Override
    void close();
}
