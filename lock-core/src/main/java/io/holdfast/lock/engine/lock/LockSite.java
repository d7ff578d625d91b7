package io.holdfast.lock.engine.lock;

import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.inspect.Inspection;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.operation.HoldOperations;
import java.util.List;

/** What a client's locks need of it. */
public interface LockSite {

    ClientFacts facts();

    Cells cells();

    /** What is done with holds, and where calls that want a lock come in. */
    HoldOperations operations();

    /** Looks at a lock. */
    Inspection inspection(LockKeys keys);

    FirstElsewhere firstElsewhere();

    /**
     * The site of RedLocks over a set of clients, of which this one comes first; one for each set.
     *
     * @throws IllegalArgumentException if it has other options
     */
    LockSite over(List<LockSite> members, QuorumOptions options);

    /** Whether an owner holds a lock of this site's store by a RedLock over some set of clients but one. */
    boolean isHeldByAnotherSet(LockKeys keys, Owner owner, LockSite but);
}
