package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The common parent of failures to take, keep or ask for a lock. Its children say what a caller can do about them.
 *
 * <p>{@code catch (LockException)} catches neither {@link LockLostException} nor {@link LockNotHeldException}: a release
 * without a hold is an {@link IllegalMonitorStateException}, as {@link java.util.concurrent.locks.Lock} has it. What all of
 * them have in common is {@link LockFailure}.
 */
public abstract class LockException extends RuntimeException implements LockFailure {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final String owner;
    private final String node;
    private final FailureReason reason;

    protected LockException(
            String message,
            String lockName,
            String owner,
            String node,
            FailureReason reason,
            @Nullable Throwable cause) {
        super(Printable.message(message), cause);
        this.lockName = lockName;
        this.owner = owner;
        this.node = node;
        this.reason = reason;
    }

    @Override
    public final Optional<String> name() {
        return LockFailures.known(lockName);
    }

    @Override
    public final Optional<String> owner() {
        return LockFailures.known(owner);
    }

    @Override
    public final Optional<String> node() {
        return LockFailures.known(node);
    }

    @Override
    public final FailureReason reason() {
        return reason;
    }
}
