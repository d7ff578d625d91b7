package io.holdfast.lock.boot;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.LockInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock at the store as the endpoint shows it.
 *
 * @param queue the owners that stand in the server's queue, in their order
 */
record LockView(
        String name,
        boolean locked,
        @Nullable Long timeToLiveMillis,
        boolean heldByThisClient,
        int localWaiters,
        List<Holder> holders,
        List<String> queue) {

    static LockView of(LockInfo lock) {
        return new LockView(
                lock.name(),
                lock.locked(),
                lock.timeToLive().map(Duration::toMillis).orElse(null),
                lock.heldByThisClient(),
                lock.localWaiters(),
                lock.holders().stream().map(Holder::of).toList(),
                lock.queue());
    }

    /** An owner, and the process behind it where its client has written that down. */
    record Holder(
            String owner,
            boolean reads,
            int holdCount,
            @Nullable Long fencingToken,
            @Nullable String since,
            boolean ofThisClient,
            boolean mayHaveHandedOn,
            @Nullable Process process) {

        static Holder of(LockInfo.Holder holder) {
            return new Holder(
                    holder.owner(),
                    holder.reads(),
                    holder.holdCount(),
                    ClientView.orNull(holder.fencingToken()),
                    holder.since().map(Instant::toString).orElse(null),
                    holder.ofThisClient(),
                    holder.mayHaveHandedOn(),
                    holder.client().map(Process::of).orElse(null));
        }
    }

    /** A process, by what its client says of it. */
    record Process(String application, String host, long processId, String version, String since) {

        static Process of(ClientInfo client) {
            return new Process(
                    client.application(),
                    client.host(),
                    client.processId(),
                    client.version(),
                    client.since().toString());
        }
    }
}
