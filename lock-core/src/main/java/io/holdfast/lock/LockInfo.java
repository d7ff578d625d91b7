package io.holdfast.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A look at a lock. It was true when the server answered. Not for implementing: later versions tell more. */
public interface LockInfo {

    /** The lock's name. */
    String name();

    /** True if any owner holds it; of a MultiLock, if every member is held. */
    boolean locked();

    /** The owners that hold it; of a MultiLock, those of all its members. */
    List<Holder> holders();

    /** The members of a MultiLock, in the order in which they are taken; empty for any other lock. */
    List<LockInfo> members();

    /**
     * Until the lease runs out if it is not renewed; empty if the lock is free, or the key has no expiry. Of a MultiLock,
     * the shortest of its members'.
     */
    Optional<Duration> timeToLive();

    /** True if an owner of this client holds it; of a MultiLock, if one holds every member. */
    boolean heldByThisClient();

    /** Calls that wait for it in this client. */
    int localWaiters();

    /** Connections that listen for its release; of a MultiLock, the most that listen for one member's. */
    long subscribedProcesses();

    /**
     * The owners that stand in the queue at the server for their turn, in their order, the first hundred of them: of a lock that calls
     * want as a fair or a read/write lock. Empty for a MultiLock, whose members have their own.
     */
    List<String> queue();

    /** An owner that holds a lock, or for which a lock with a queue is kept until it claims it. Not for implementing. */
    interface Holder {

        /** {@code <client id>:<owner>:<number>}, or a Redisson client's {@code <client id>:<thread id>}. */
        String owner();

        /** True if it holds the lock as one of its readers. */
        boolean reads();

        /**
         * How many times the owner has to release the lock; 1 for a reader, whose client alone knows. 0 if the lock is reserved for the
         * owner, or if the owner's client is of an earlier version and has claimed it: then the owner holds it once.
         */
        int holdCount();

        /** The hold's token; empty where the key scheme does not keep it. */
        OptionalLong fencingToken();

        /** When the hold began, by the server's clock; empty where the key scheme does not keep the token. */
        Optional<Instant> since();

        /** True if the owner is of this client. */
        boolean ofThisClient();

        /**
         * True if the owner's client may have handed the lock on to another of its calls without asking the server: then owner, token and
         * {@code since} are those of the call for which the server granted it. Of other clients it is true of each holder with a token, whatever
         * its kind, which the server does not tell; of this client only while the lock is changing hands.
         */
        boolean mayHaveHandedOn();

        /** The record of the owner's client; empty if there is none, or it has expired. */
        Optional<ClientInfo> client();
    }
}
