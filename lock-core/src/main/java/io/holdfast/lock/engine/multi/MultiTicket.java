package io.holdfast.lock.engine.multi;

import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.wait.Ticket;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call of a MultiLock that wants one of its members. */
final class MultiTicket extends Ticket {

    private final Object taker;

    MultiTicket(
            Object taker,
            LockKeys keys,
            Terms terms,
            Owner owner,
            LeaseTerm lease,
            long waitNanos,
            @Nullable Thread thread,
            long startNanos,
            Pending<Optional<Hold>> result) {
        super(keys, terms, owner, lease, waitNanos, thread, startNanos, result);
        this.taker = taker;
    }

    @Override
    public Object taker() {
        return taker;
    }
}
