package io.holdfast.lock;

/** Why a call failed. Why a hold was lost says {@link LossReason}. */
public enum FailureReason {
    /** The caller does not hold the lock. */
    NOT_HELD,
    /** The lock was not granted within the time that the caller was willing to wait. */
    NOT_GRANTED,
    /** Another owner holds the lock, and the caller was not willing to wait. */
    HELD_BY_ANOTHER,
    /** The caller holds the lock as another kind, which excludes what it asks for. */
    HELD_BY_ITSELF,
    /** The caller gave up: it was interrupted, or its future was cancelled. */
    WITHDRAWN,
    /** The caller has lost its hold; {@link LockLostException#lossReason()} says why. */
    HOLD_LOST,
    /** The client was closed; of a connection, the client has ended it, as there was nothing to do. */
    CLIENT_CLOSED,
    /** The server did not answer in time, or the connection broke before it did. */
    NO_ANSWER,
    /** Too few of several independent nodes granted or answered. */
    NO_MAJORITY,
    /** No connection to the server. */
    UNREACHABLE,
    /** The connection broke. */
    DISCONNECTED,
    /** The peer broke the wire protocol. */
    PROTOCOL,
    /** Too many calls wait in this client to be sent. */
    QUEUE_FULL,
    /** The server keeps forgetting the scripts. */
    SCRIPT_MISSING,
    /** The server, or a proxy before it, refuses what a script does: the way in which it names keys, or the command TIME. */
    SCRIPT_REFUSED,
    /** The server is loading its data set. */
    LOADING,
    /** The server is busy with a long script. */
    BUSY,
    /** The server is a replica. */
    READONLY,
    /** The address leads to a Sentinel. */
    SENTINEL,
    /** The server is a replica that lost its master. */
    MASTERDOWN,
    /** Too few replicas are connected. */
    NOREPLICAS,
    /** With the failover guard: no majority of all Sentinels has named the primary lately, so nothing that it says counts. */
    NOT_VOUCHED,
    /** With the failover guard: the primary is new, and grants nothing before its pause is over. The lock may be free. */
    PAUSED,
    /** A cluster slot is being moved. */
    TRYAGAIN,
    /** The same, and the key is not here, or not here any more. */
    ASK,
    /** Another node of a cluster keeps this lock: the address leads to one of several, or to a former primary. */
    MOVED,
    /** The keys of one request are in several slots of a cluster: a defect of this library. */
    CROSSSLOT,
    /** The cluster does not serve this slot. */
    CLUSTERDOWN,
    /** The server refuses more clients. */
    MAXCLIENTS,
    /** The server wants credentials. */
    NOAUTH,
    /** The credentials are wrong. */
    WRONGPASS,
    /** The user lacks a permission. */
    NOPERM,
    /** The key holds something that is not a lock, or not the latch or signal that was asked for. */
    WRONGTYPE,
    /** More permits were asked for at once than the semaphore's limit is. */
    ABOVE_LIMIT,
    /** The server's memory is full. */
    OOM,
    /** A fenced value is longer than the limit. */
    VALUE_TOO_LONG,
    /** The server's answer is longer than the client takes. */
    ANSWER_TOO_LONG,
    /** The server cannot persist and refuses writes. */
    MISCONF,
    /** The server's certificate is refused, or the client's is, or the server speaks no TLS. */
    TLS,
    /** The peer is not a Redis or Valkey server. */
    NOT_REDIS,
    /** The server answered with an error that has no name of its own here. */
    SERVER_ERROR
}
