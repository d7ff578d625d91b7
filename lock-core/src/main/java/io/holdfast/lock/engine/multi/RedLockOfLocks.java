package io.holdfast.lock.engine.multi;

import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.MemberKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.lock.LockSite;
import java.time.Duration;
import java.util.List;

/** A lock over the stores of other locks. An owner that holds some of those by another lock may wait for itself. */
final class RedLockOfLocks extends EngineLock {

    private final List<EngineLock> members;

    RedLockOfLocks(List<EngineLock> members, LockSite site, Terms terms) {
        super(
                site,
                terms,
                new MemberKeys(members.stream().map(member -> member.keys).toList()));
        this.members = members;
    }

    @Override
    public RedLockOfLocks withLease(Duration lease) {
        return new RedLockOfLocks(members, site, new Terms(kind, optionsWith(lease)));
    }

    /** A handle is new with each call, so it holds nothing. */
    @Override
    public void refuseOwn(Owner owner) {
        if (owner.standalone()) {
            return;
        }
        int free = 0;
        for (EngineLock member : members) {
            refuseIfHeld(member, owner);
            free += member.site.isHeldByAnotherSet(member.keys, owner, site) ? 0 : 1;
        }
        if (free < HoldLeases.majority(members.size())) {
            throw new IllegalStateException(
                    "lock '" + keys + "': " + owner.describe()
                            + " holds it at so many of " + facts.node()
                            + " by another RedLock that no majority is left, and would wait for itself; unlock the other first");
        }
    }

    private void refuseIfHeld(EngineLock member, Owner owner) {
        if (member.isHeldAsAnyKind(owner)) {
            throw new IllegalStateException("lock '" + keys + "': " + owner.describe() + " holds its member '"
                    + member.keys + "' at " + member.facts.node()
                    + " directly, and would wait for itself; unlock the member first");
        }
    }
}
