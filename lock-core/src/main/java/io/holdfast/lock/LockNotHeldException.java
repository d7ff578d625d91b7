package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Optional;

/**
 * A release by a caller that does not hold the lock.
 *
 * <p>It is an {@link IllegalMonitorStateException} and no {@link LockException}: {@code catch (LockException)} lets it pass.
 */
public final class LockNotHeldException extends IllegalMonitorStateException implements LockFailure {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final String owner;
    private final String node;
    private final FailureReason reason;

    public LockNotHeldException(String message, String lockName, String owner, String node, FailureReason reason) {
        super(Printable.message(message));
        this.lockName = lockName;
        this.owner = owner;
        this.node = node;
        this.reason = reason;
    }

    @Override
    public Optional<String> name() {
        return LockFailures.known(lockName);
    }

    @Override
    public Optional<String> owner() {
        return LockFailures.known(owner);
    }

    @Override
    public Optional<String> node() {
        return LockFailures.known(node);
    }

    @Override
    public FailureReason reason() {
        return reason;
    }
}
