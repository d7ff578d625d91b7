package io.holdfast.lock.spi;

import io.holdfast.lock.text.Printable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run of a server process: a server that was restarted has another, and may have forgotten what it knew.
 *
 * @param id the process's own id; empty if it may not be known
 * @param upSinceNanos when the process started, on the {@link Runtime}'s monotonic clock, as far as its answer tells
 * @param appendOnly whether the process says that it keeps an append-only file; false if it does not tell
 * @param place where the process is, made printable; empty if that never changes
 */
public record ServerRun(String id, long upSinceNanos, boolean appendOnly, String place) {

    /** Nothing is known: there was no connection yet, or the server does not tell. */
    public static final ServerRun UNKNOWN = new ServerRun("", 0);

    public ServerRun {
        Objects.requireNonNull(id, "id");
        place = Printable.of(Objects.requireNonNull(place, "place"));
    }

    /** A run of a process whose place never changes. */
    public ServerRun(String id, long upSinceNanos, boolean appendOnly) {
        this(id, upSinceNanos, appendOnly, "");
    }

    /** A run of a process that is not known to keep an append-only file. */
    public ServerRun(String id, long upSinceNanos) {
        this(id, upSinceNanos, false);
    }

    /** By hand, like the next: on JDK 17 the generated one keeps this class, and so its loader, alive for ever. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ServerRun that
                && upSinceNanos == that.upSinceNanos
                && appendOnly == that.appendOnly
                && id.equals(that.id)
                && place.equals(that.place);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, upSinceNanos, appendOnly, place);
    }

    public boolean isKnown() {
        return !id.isEmpty();
    }

    /** True if another process at another place has taken the place of this one, as far as both are known. */
    public boolean isReplacedBy(ServerRun other) {
        boolean placesAreKnown = !place.isEmpty() && !other.place.isEmpty();
        return isKnown() && other.isKnown() && !id.equals(other.id) && placesAreKnown && !place.equals(other.place);
    }
}
