package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A look at a lock. It was true when the server answered.
 *
 * @param name the lock's name
 * @param locked whether anybody holds it
 * @param holder who: {@code <client id>:<owner>:<number>}, or a Redisson client's {@code <client id>:<thread id>}
 * @param since when the present hold began, by the server's clock; empty where the key scheme does not keep the token
 * @param fencingToken the present hold's token; empty where the key scheme does not keep it
 * @param holdCount how many times the holder has to release it
 * @param timeToLive until the lease runs out if it is not renewed; empty if the key has no expiry
 * @param heldByThisClient whether the holder is of this client
 * @param localWaiters calls that wait for it in this client
 * @param subscribedProcesses connections that listen for its release
 */
public record LockInfo(
        String name,
        boolean locked,
        Optional<String> holder,
        Optional<Instant> since,
        OptionalLong fencingToken,
        int holdCount,
        Optional<Duration> timeToLive,
        boolean heldByThisClient,
        int localWaiters,
        long subscribedProcesses) {

    /** On one line, whatever the lock and its holder are called. */
    @Override
    public String toString() {
        return Printable.message("LockInfo[name=" + Printable.of(name) + ", locked=" + locked + ", holder="
                + Printable.of(holder.orElse("none")) + ", since=" + since + ", fencingToken=" + fencingToken
                + ", holdCount=" + holdCount + ", timeToLive=" + timeToLive + ", heldByThisClient=" + heldByThisClient
                + ", localWaiters=" + localWaiters + ", subscribedProcesses=" + subscribedProcesses + ']');
    }
}
