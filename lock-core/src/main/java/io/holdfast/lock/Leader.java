package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A leader as others see it.
 *
 * @param id as it was given to {@link LeaderElection#campaign(String, byte[])}
 * @param value what the leader says of itself: an address, for one. A copy, on the way in and on the way out
 * @param term greater than that of every earlier leader of this election
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by what is in it
public record Leader(String id, byte[] value, long term) {

    public Leader {
        Objects.requireNonNull(id, "id");
        value = value.clone();
    }

    @Override
    public byte[] value() {
        return value.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Leader that
                && term == that.term
                && id.equals(that.id)
                && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, term, Arrays.hashCode(value));
    }

    /** Without the value, of which this says the length only. */
    @Override
    public String toString() {
        return "Leader{id=" + Printable.of(id) + ", term=" + term + ", value=" + value.length + " bytes}";
    }
}
