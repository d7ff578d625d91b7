package io.holdfast.lock.spi;

import java.util.Objects;

/**
 * One run of a server process: a server that was restarted has another, and may have forgotten what it knew.
 *
 * @param id the process's own id; empty if it may not be known
 * @param upSinceNanos when the process started, on the {@link Runtime}'s monotonic clock, as far as its answer tells
 * @param appendOnly whether the process says that it keeps an append-only file; false if it does not tell
 */
public record ServerRun(String id, long upSinceNanos, boolean appendOnly) {

    /** Nothing is known: there was no connection yet, or the server does not tell. */
    public static final ServerRun UNKNOWN = new ServerRun("", 0);

    public ServerRun {
        Objects.requireNonNull(id, "id");
    }

    /** A run of a process that is not known to keep an append-only file. */
    public ServerRun(String id, long upSinceNanos) {
        this(id, upSinceNanos, false);
    }

    public boolean isKnown() {
        return !id.isEmpty();
    }
}
