package io.holdfast.lock.engine;

import io.holdfast.lock.LockOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call of a MultiLock that wants one of its members. */
final class MultiTicket extends Ticket {

    private final Object taker;

    MultiTicket(
            Object taker,
            LockNames names,
            Owner owner,
            LockOptions options,
            Lease lease,
            long waitNanos,
            @Nullable Thread thread,
            long startNanos,
            Pending<Optional<Hold>> result) {
        super(names, owner, options, lease, waitNanos, thread, startNanos, result);
        this.taker = taker;
    }

    @Override
    Object taker() {
        return taker;
    }
}
