package io.holdfast.lock.spring;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockTimeoutException;
import org.jspecify.annotations.Nullable;

/** One call under locks, whether by annotation or by template: what it wants, what it runs, and what it does instead. */
interface Work {

    /** What it wants. Asked once. */
    LockRequest request();

    /** Runs it under the locks. Called once at most. */
    @Nullable
    Object run(Grip grip) throws Throwable;

    /** The result of a call whose lock was not granted in time. */
    @Nullable
    Object refused(LockTimeoutException failure) throws Throwable;

    /** The result of a call whose lock could not be asked for. */
    @Nullable
    Object unavailable(LockException failure) throws Throwable;

    OnLost onLost();

    /** Whether a transaction that is active already keeps the locks until it has completed. */
    boolean staysInTransaction();

    /** Whether {@link InterruptedException} may be thrown. */
    boolean declaresInterruption();
}
