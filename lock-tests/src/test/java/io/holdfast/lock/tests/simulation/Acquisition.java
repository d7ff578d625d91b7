package io.holdfast.lock.tests.simulation;

import org.jspecify.annotations.Nullable;

/** A lock that a server has granted to a field: what really happened, whatever the client heard of it. */
final class Acquisition {

    /** For so long a client hands a lock on without asking; and what its clock may be slow by. */
    private static final long LONGEST_UNHEARD_NANOS = 51_000_000;

    final int server;
    final int lock;
    final String field;
    final long sinceNanos;
    long token;
    /** How many tokens follow each other from that one, for owners of its client that have the lock without asking. */
    long tokens = 1;
    /** The token that the same field had when it was there before, for a replica may bring it back; 0 for a new field. */
    long tokenBefore;
    /** Why the field has gone; null while it is there. */
    Keyspace.@Nullable Cause end;

    long endNanos;
    /** Whether another field of the same client had the lock before. */
    boolean handedOver;
    /** Whether its client had left the connection by which it asked, and may have given up undoing it. */
    boolean abandoned;
    /** Whether its owner was told that its fixed lease ran out: then it may stay until that is over on the server too. */
    boolean ranOut;
    /** How often it was found there while nobody held it. */
    int looksWithoutOwner;
    /** When a fault broke what exclusion rests on while the field was there; {@link Long#MAX_VALUE} if none did. */
    long doubtedNanos = Long.MAX_VALUE;

    Acquisition(int server, int lock, String field, long sinceNanos) {
        this.server = server;
        this.lock = lock;
        this.field = field;
        this.sinceNanos = sinceNanos;
    }

    void doubt(long nowNanos) {
        doubtedNanos = Math.min(doubtedNanos, nowNanos);
    }

    boolean isThere() {
        return end == null;
    }

    /** Whether it was there at a time or later. */
    boolean wasThereAfter(long nanos) {
        return end == null || endNanos >= nanos;
    }

    /** Whether what an owner asked for at a time or later may rest on it: it may be handed on for a moment when it is gone. */
    boolean isRestedOnAfter(long nanos) {
        return wasThereAfter(tokens > 1 ? nanos - LONGEST_UNHEARD_NANOS : nanos);
    }

    /** Whether it is an owner's, or may be handed on to it by its client. */
    boolean isOf(String other) {
        return owner().equals(other) || (tokens > 1 && clientOf(owner()).equals(clientOf(other)));
    }

    /** Whether an owner of it may have this token. */
    boolean has(long other) {
        return token <= other && other < token + tokens;
    }

    /** The client of an owner, or of a field. */
    static String clientOf(String owner) {
        int end = owner.indexOf(':');
        return end < 0 ? "" : owner.substring(0, end);
    }

    /** The owner, as the client names it: the field without its number. */
    String owner() {
        return field.substring(0, field.lastIndexOf(':'));
    }
}
