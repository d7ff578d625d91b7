package io.holdfast.lock.engine.kind;

import org.jspecify.annotations.Nullable;

/**
 * What one of several nodes is asked for in a round. It stays the same until the request is answered, also when its call has
 * begun another round meanwhile.
 */
public final class Proposal {

    public static final long LEAVES_NO_WORD = -1;

    final byte[] field;
    final byte @Nullable [] heldBeside;
    final long leaseMillis;
    final long token;
    final long aheadMicros;
    final long sinceMicros;
    final int distance;

    /**
     * @param field the round's own
     * @param heldBeside the field under which the owner holds the lock as a kind that is not the call's; null for none
     * @param token the proposed one
     * @param aheadMicros how far ahead of the node's clock that may be
     * @param sinceMicros since when the call waits, by the nodes' clocks; 0 if they are not known, {@link #LEAVES_NO_WORD} if other
     *     clients need not know of it
     * @param distance how long the client takes to ask when it is called, in steps
     */
    public Proposal(
            byte[] field,
            byte @Nullable [] heldBeside,
            long leaseMillis,
            long token,
            long aheadMicros,
            long sinceMicros,
            int distance) {
        this.field = field;
        this.heldBeside = heldBeside;
        this.leaseMillis = leaseMillis;
        this.token = token;
        this.aheadMicros = aheadMicros;
        this.sinceMicros = sinceMicros;
        this.distance = distance;
    }
}
