package io.holdfast.lock.spi;

import java.util.Objects;

/**
 * One run of a server process: a server that was restarted has another, and may have forgotten what it knew.
 *
 * @param id the process's own id; empty if it may not be known
 * @param upSinceNanos when the process started, on the {@link Runtime}'s monotonic clock, as far as its answer tells
 */
public record ServerRun(String id, long upSinceNanos) {

    /** Nothing is known: there was no connection yet, or the server does not tell. */
    public static final ServerRun UNKNOWN = new ServerRun("", 0);

    public ServerRun {
        Objects.requireNonNull(id, "id");
    }

    public boolean isKnown() {
        return !id.isEmpty();
    }
}
