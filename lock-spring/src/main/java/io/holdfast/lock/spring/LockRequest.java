package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one call wants.
 *
 * @param keys at least one, each once
 * @param kind as what they are taken
 * @param name what {@link LockAssert} knows it by, beside the keys; empty if nothing
 * @param lease a fixed one; null if the lock is to be renewed
 * @param atLeast how long it is kept; null if no longer than it is used
 * @param caller what wants it, for messages
 */
record LockRequest(
        LockClient client,
        List<String> keys,
        Kind kind,
        String name,
        Duration waitFor,
        @Nullable Duration lease,
        @Nullable Duration atLeast,
        String caller) {

    /** The same for some of the keys. */
    LockRequest of(List<String> some) {
        return new LockRequest(client, some, kind, name, waitFor, lease, atLeast, caller);
    }

    String shownKeys() {
        return keys.size() == 1 ? keys.get(0) : String.join(", ", keys);
    }
}
