package io.holdfast.lock.boot;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.WaitingCall;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A client as the endpoint shows it. */
record ClientView(String id, List<Held> holds, List<Waiting> waiters) {

    static ClientView of(LockClient client) {
        return new ClientView(
                client.id(),
                client.holds().stream().map(Held::of).toList(),
                client.waiters().stream().map(Waiting::of).toList());
    }

    static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    /** A hold; times are in milliseconds, instants as ISO 8601 has them. */
    record Held(
            String name,
            String owner,
            @Nullable Long fencingToken,
            String since,
            long validityMillis,
            String state,
            @Nullable String thread) {

        static Held of(HeldLock hold) {
            return new Held(
                    hold.name(),
                    hold.owner(),
                    orNull(hold.fencingToken()),
                    hold.since().toString(),
                    hold.validity().toMillis(),
                    hold.state().name(),
                    hold.threadName().orElse(null));
        }
    }

    /** A call that wants a lock. */
    record Waiting(String name, String owner, int position, long waitedMillis, @Nullable String thread) {

        static Waiting of(WaitingCall call) {
            return new Waiting(
                    call.name(),
                    call.owner(),
                    call.position(),
                    call.waited().toMillis(),
                    call.threadName().orElse(null));
        }
    }
}
