package io.holdfast.lock.spi;

import io.holdfast.lock.text.Printable;
import java.util.Objects;

/**
 * Why a call has no answer.
 *
 * @param kind what happened
 * @param maybeApplied whether the server may have run the script, or may still run it
 * @param node the server's address, made printable
 * @param detail the server's or the transport's own words, made printable; never a secret
 * @param lasting whether trying again is of no use to this call, though the kind is one that passes
 */
public record Fault(Kind kind, boolean maybeApplied, String node, String detail, boolean lasting) {

    public Fault {
        Objects.requireNonNull(kind, "kind");
        node = Printable.of(Objects.requireNonNull(node, "node"));
        detail = Printable.message(Objects.requireNonNull(detail, "detail"));
    }

    /** A fault that passes if its kind does. */
    public Fault(Kind kind, boolean maybeApplied, String node, String detail) {
        this(kind, maybeApplied, node, detail, false);
    }

    /** True if the call may be tried again later. */
    public boolean mayPass() {
        return kind.isTransient() && !lasting;
    }

    /** The kinds of faults between a client and a server. */
    public enum Kind {
        /** There was no connection until the call's deadline, or there is none now and the call was not queued. */
        UNREACHABLE(true),
        /** Too few of several independent nodes granted or answered; the detail says what each of them said. */
        NO_MAJORITY(true),
        /** The server did not answer in time; the connection stands. */
        NO_ANSWER(true),
        /** The connection broke while the call was in flight. */
        DISCONNECTED(true),
        /** The peer spoke something that is not RESP, or answered out of turn; the connection was closed. */
        PROTOCOL(true),
        /** The client's own queue has no room for an ordinary call. */
        QUEUE_FULL(true),
        /** The server forgot the script again right after it was loaded. */
        SCRIPT_MISSING(true),
        /** The server, or a proxy before it, refuses what the script does. */
        SCRIPT_REFUSED(false),
        /** The server is loading its data set. */
        LOADING(true),
        /** Another script runs for too long. */
        BUSY(true),
        /** The server is a replica, whether it takes writes or not; it may become a primary. */
        READONLY(true),
        /** The peer is a Sentinel, which keeps no locks; its address may lead to a server again. */
        SENTINEL(true),
        /** The server is a replica that lost its master. */
        MASTERDOWN(true),
        /** Not enough replicas are connected, and the server was told to insist on them. */
        NOREPLICAS(true),
        /** No majority of all Sentinels vouches for the server, or it is in another term; with the failover guard. */
        NOT_VOUCHED(true),
        /** The server is a new primary, and what was wanted counts after a pause only; with the failover guard. */
        PAUSED(true),
        /** A slot is being moved, and some of a call's keys have gone ahead. */
        TRYAGAIN(true),
        /** A slot is being moved, and the key is not here, or not here any more; it passes when the slot has moved. */
        ASK(true),
        /**
         * Another node of the cluster owns the slot, and a backend of one node follows no redirection. It may pass: a
         * primary that was replaced says so for every slot, and its address may lead to the new one next.
         */
        MOVED(true),
        /** The keys of one call are in several slots, which a cluster never takes: a defect, not a state. */
        CROSSSLOT(false),
        /** The cluster has no owner for a slot. */
        CLUSTERDOWN(true),
        /** The server refuses further clients. */
        MAXCLIENTS(true),
        /** The server wants a password and was given none. */
        NOAUTH(false),
        /** User name or password are wrong. */
        WRONGPASS(false),
        /** The user may not do this. */
        NOPERM(false),
        /** The key holds something that is not a lock. */
        WRONGTYPE(false),
        /** More permits of a semaphore are asked for at once than its limit is. */
        ABOVE_LIMIT(false),
        /** The server's memory is full and its policy is to refuse. */
        OOM(false),
        /** The server cannot write its data to disk and refuses writes. */
        MISCONF(false),
        /** The answer is longer than the transport takes; it was read to its end and dropped, and the connection stands. */
        ANSWER_TOO_LONG(false),
        /** Client and server do not come to terms about TLS: a certificate is refused, or the server speaks none. */
        TLS(false),
        /** The peer is not a Redis or Valkey server, or one that is too old. */
        NOT_REDIS(false),
        /** Any other error answer. */
        SERVER_ERROR(false),
        /** The client was closed. */
        CLOSED(false);

        private final boolean transientFault;

        Kind(boolean transientFault) {
            this.transientFault = transientFault;
        }

        /** True if trying again later can help. */
        public boolean isTransient() {
            return transientFault;
        }
    }

    @Override
    public String toString() {
        return kind + " at " + node + ": " + detail + (maybeApplied ? " (may have been applied)" : "");
    }
}
