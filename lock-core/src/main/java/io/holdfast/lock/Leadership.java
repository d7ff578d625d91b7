package io.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * One term of one leader: a hold of the election's lock. It is valid, renewed and lost as any {@link LockHold}, and the leader acts
 * only while it is: {@link #validFor()} says how much longer. A leadership that was lost never comes back; campaign again.
 *
 * <p>What it promises: no two leaderships of one election are valid at a time, under the conditions under which that holds of
 * {@linkplain RLock locks}; and a resource that refuses smaller {@linkplain #term() terms} is safe where they fail.
 */
public interface Leadership extends LockHold {

    /** The candidate's id. */
    String id();

    /**
     * The number of this term: its fencing token, so it is greater than that of every earlier term.
     *
     * @throws LockLostException if the leadership was lost
     */
    long term();

    /**
     * Tells others something else in this term; they hear of the newest value, and may miss those before it. Of two values that are
     * set one after the other the later one stays, whatever order their requests arrive in.
     *
     * @throws IllegalArgumentException if the value is longer than {@link LeaderElection#MAX_VALUE_BYTES}; nothing was sent
     * @throws LockLostException if the leadership was lost
     * @throws LockNotHeldException if it was given up
     * @throws LockOutcomeUnknownException if no answer came, and the value may have been set; setting it again is harmless
     */
    void setValue(byte[] value);

    /** The asynchronous twin of {@link #setValue}. */
    RFuture<Void> setValueAsync(byte[] value);

    /** Gives the leadership up: the next candidate has it after one message and a round trip. As {@link #release()}. */
    void resign();

    /** The asynchronous twin of {@link #resign}. */
    RFuture<Void> resignAsync();

    /**
     * A stage that completes when the term has ended, by whatever: with a {@linkplain LeaderElection#withTermLimit limit} that is how
     * the leader hears of it. What depends on it runs where observers of elections do.
     */
    CompletionStage<TermEnd> ended();

    /** How much longer the leader may act without asking: never beyond the term's limit. */
    @Override
    Duration validFor();

    /**
     * As {@link LockHold#extend}.
     *
     * @throws IllegalArgumentException also if that is beyond the term's limit
     */
    @Override
    void extend(Duration lease);
}
