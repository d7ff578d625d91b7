package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.Optional;

/**
 * The caller held the lock and lost it before this call: the lease ran out, renewals failed, or the server no longer
 * knows the hold. Whatever was done since may have overlapped with another owner. From {@link RCountDownLatch#await()} it says
 * that the latch is gone: deleted, or lost with the server's data.
 *
 * <p>It is an {@link IllegalMonitorStateException} and no {@link LockException}: {@code catch (LockException)} lets it pass.
 */
public final class LockLostException extends IllegalMonitorStateException implements LockFailure {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final String owner;
    private final String node;
    private final LossReason lossReason;

    public LockLostException(String message, String lockName, String owner, String node, LossReason lossReason) {
        super(Printable.message(message));
        this.lockName = lockName;
        this.owner = owner;
        this.node = node;
        this.lossReason = lossReason;
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
        return FailureReason.HOLD_LOST;
    }

    /** Why the hold was lost. */
    public LossReason lossReason() {
        return lossReason;
    }
}
