package io.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One acquisition of a lock, as an object that belongs to no thread: any thread may use and close it.
 *
 * <pre>{@code
 * try (LockHold hold = lock.acquire()) {
 *     storage.write(data, hold.fencingToken());
 * }
 * }</pre>
 *
 * <p>A hold is valid until {@code time before the request was sent + lease - (1 % of the lease + 2 ms)} on this JVM's
 * monotonic clock; every renewal moves that on. Once its validity has passed, the hold is permanently lost and reports
 * it: to {@link #onLost} callbacks, in {@link #state()}, and with a {@link LockLostException} from every method that
 * needs a valid hold. {@code state()} answers correctly at once, even after the JVM was paused and before any callback
 * ran.
 */
public interface LockHold extends AutoCloseable {

    /** The lock's name. */
    String name();

    /** The hold's owner: {@code <client id>:<owner>}. */
    String owner();

    /**
     * A number that is greater than the number of every earlier hold of this lock. Hand it to the resource that the
     * lock guards, and let the resource refuse smaller ones.
     *
     * @throws LockLostException if the hold was lost
     */
    long fencingToken();

    /** The present state of the hold. */
    HoldState state();

    /** How much longer the hold is certainly valid without a renewal; zero if it is lost or released. */
    Duration validFor();

    /**
     * Calls back once if the hold is lost; at once if it is lost already; never if it is released first. The callback
     * runs on the callback executor that the client was given or, where that has no time, on threads that report nothing but
     * losses; never on the thread that registers it. Callbacks begin in the order of their registration, and none waits for
     * another.
     *
     * @return this hold
     */
    LockHold onLost(Consumer<? super LockLoss> callback);

    /** A stage that completes when the hold is lost; it never completes if the hold is released. */
    CompletionStage<LockLoss> lost();

    /**
     * Makes the hold last at least this much longer from now. It never shortens it. The hold of a MultiLock extends all members,
     * and lasts as long as the shortest. If some members fail, the exception names the members that were extended.
     *
     * @throws IllegalArgumentException if the lease is below 10 ms, above ten years or beyond {@code maxHold}
     * @throws LockLostException if the hold was lost
     * @throws LockOutcomeUnknownException if the server did not answer; the hold keeps its present validity
     */
    void extend(Duration lease);

    /** The asynchronous twin of {@link #extend}. */
    RFuture<Void> extendAsync(Duration lease);

    /**
     * Returns at once if at least this much validity is left, else extends the hold to it.
     *
     * @throws IllegalArgumentException if no lease is long enough for that: ten years at most, and {@code maxHold}
     * @throws LockLostException if the hold was lost
     */
    void ensure(Duration validity);

    /** The asynchronous twin of {@link #ensure}. */
    RFuture<Void> ensureAsync(Duration validity);

    /**
     * Gives the lock back, within one {@link ClientOptions#commandTimeout()}. A second time does nothing.
     *
     * <p>Whatever it throws, the hold has ended. The release goes on in the background, and the lock is free when its lease is over
     * at the latest.
     *
     * @throws LockLostException if the hold was lost before
     * @throws LockOutcomeUnknownException if the server did not answer in time
     * @throws LockUnavailableException if the release could not be sent in time
     */
    void release();

    /** The asynchronous twin of {@link #release}, which ends in the same way and as soon. */
    RFuture<Void> releaseAsync();

    /**
     * As {@link #release}, but it does not throw a loss that a callback of {@link #onLost} heard of before: the application has
     * acted on it, and the result of a try-with-resources block counts.
     */
    @Override
    default void close() {
        release();
    }
}
