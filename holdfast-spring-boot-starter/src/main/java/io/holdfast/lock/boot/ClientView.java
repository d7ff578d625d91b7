package io.holdfast.lock.boot;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.WaitingCall;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A client as the endpoint shows it: how many holds and waiting calls it has, and the first {@value #SHOWN} of each. */
record ClientView(String id, int holdCount, int waiterCount, List<Held> holds, List<Waiting> waiters) {

    static final int SHOWN = 1_000;

    static ClientView of(LockClient client) {
        List<HeldLock> holds = client.holds();
        List<WaitingCall> waiters = client.waiters();
        return new ClientView(
                client.id(),
                holds.size(),
                waiters.size(),
                holds.stream().limit(SHOWN).map(Held::of).toList(),
                waiters.stream().limit(SHOWN).map(Waiting::of).toList());
    }

    static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    /** A hold; times are in milliseconds, instants as ISO 8601 has them. */
    record Held(
            String name,
            String owner,
            String kind,
            @Nullable Long fencingToken,
            String since,
            long validityMillis,
            String state,
            @Nullable String thread) {

        static Held of(HeldLock hold) {
            return new Held(
                    hold.name(),
                    hold.owner(),
                    hold.kind().name(),
                    orNull(hold.fencingToken()),
                    hold.since().toString(),
                    hold.validity().toMillis(),
                    hold.state().name(),
                    hold.threadName().orElse(null));
        }
    }

    /** A call that wants a lock. */
    record Waiting(String name, String owner, String kind, int position, long waitedMillis, @Nullable String thread) {

        static Waiting of(WaitingCall call) {
            return new Waiting(
                    call.name(),
                    call.owner(),
                    call.kind().name(),
                    call.position(),
                    call.waited().toMillis(),
                    call.threadName().orElse(null));
        }
    }
}
