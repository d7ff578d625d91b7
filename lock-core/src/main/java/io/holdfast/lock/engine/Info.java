package io.holdfast.lock.engine;

import io.holdfast.lock.LockInfo;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What was seen of a lock. */
record Info(
        String name,
        boolean locked,
        List<LockInfo.Holder> holders,
        List<LockInfo> members,
        Optional<Duration> timeToLive,
        boolean heldByThisClient,
        int localWaiters,
        long subscribedProcesses)
        implements LockInfo {

    /** What was seen of an owner that holds a lock. */
    record Holder(String owner, int holdCount, OptionalLong fencingToken, Optional<Instant> since, boolean ofThisClient)
            implements LockInfo.Holder {

        @Override
        public String toString() {
            return "Holder[owner=" + Printable.of(owner) + ", holdCount=" + holdCount + ", fencingToken="
                    + (fencingToken.isPresent() ? Long.toString(fencingToken.getAsLong()) : "none") + ", since="
                    + since.map(Instant::toString).orElse("unknown") + ", ofThisClient=" + ofThisClient + ']';
        }
    }

    /** On one line, whatever the lock and its holders are called. */
    @Override
    public String toString() {
        return Printable.message("LockInfo[name=" + Printable.of(name) + ", locked=" + locked + ", holders=" + holders
                + ", members=" + members + ", timeToLive="
                + timeToLive.map(Duration::toString).orElse("none") + ", heldByThisClient=" + heldByThisClient
                + ", localWaiters=" + localWaiters + ", subscribedProcesses=" + subscribedProcesses + ']');
    }
}
