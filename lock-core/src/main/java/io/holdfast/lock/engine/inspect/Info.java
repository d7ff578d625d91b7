package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What was seen of a lock. */
public record Info(
        String name,
        boolean locked,
        List<LockInfo.Holder> holders,
        List<LockInfo> members,
        Optional<Duration> timeToLive,
        boolean heldByThisClient,
        int localWaiters,
        long subscribedProcesses,
        List<String> queue)
        implements LockInfo {

    /** What was seen of an owner that holds a lock. */
    record Holder(
            String owner,
            boolean reads,
            int holdCount,
            OptionalLong fencingToken,
            Optional<Instant> since,
            boolean ofThisClient,
            boolean mayHaveHandedOn,
            Optional<ClientInfo> client)
            implements LockInfo.Holder {

        /** The same as far as it is known; another call may have the lock by now. */
        Holder beingHandedOn() {
            return new Holder(owner, reads, holdCount, fencingToken, since, ofThisClient, true, client);
        }

        @Override
        public String toString() {
            return Printable.message("Holder[owner=" + Printable.of(owner) + ", reads=" + reads + ", holdCount="
                    + holdCount
                    + ", fencingToken="
                    + (fencingToken.isPresent() ? Long.toString(fencingToken.getAsLong()) : "none") + ", since="
                    + since.map(Instant::toString).orElse("unknown") + ", ofThisClient=" + ofThisClient
                    + ", mayHaveHandedOn="
                    + mayHaveHandedOn + ", client=" + Printable.message(client.isPresent() ? client.get() : "unknown")
                    + ']');
        }
    }

    /** What was seen of several locks that are taken as one. */
    public static LockInfo ofAll(String name, List<LockInfo> members) {
        boolean locked = members.stream().allMatch(LockInfo::locked);
        return new Info(
                name,
                locked,
                members.stream().flatMap(member -> member.holders().stream()).toList(),
                List.copyOf(members),
                locked
                        ? members.stream()
                                .map(LockInfo::timeToLive)
                                .flatMap(Optional::stream)
                                .min(Duration::compareTo)
                        : Optional.empty(),
                members.stream().allMatch(LockInfo::heldByThisClient),
                members.stream().mapToInt(LockInfo::localWaiters).sum(),
                members.stream().mapToLong(LockInfo::subscribedProcesses).max().orElse(0),
                List.of());
    }

    /** On one line, whatever the lock and its holders are called. */
    @Override
    public String toString() {
        return Printable.message("LockInfo[name=" + Printable.of(name) + ", locked=" + locked + ", holders=" + holders
                + ", members=" + members + ", timeToLive="
                + timeToLive.map(Durations::of).orElse("none") + ", heldByThisClient=" + heldByThisClient
                + ", localWaiters=" + localWaiters + ", subscribedProcesses=" + subscribedProcesses + ", queue=" + queue
                + ']');
    }
}
