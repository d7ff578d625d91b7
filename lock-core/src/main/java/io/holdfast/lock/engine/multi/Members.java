package io.holdfast.lock.engine.multi;

import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The locks that a composed lock is made of, checked. */
final class Members {

    private Members() {}

    /** @param what the composed lock, for messages */
    static List<EngineLock> of(String what, List<RLock> locks) {
        if (locks.isEmpty()) {
            throw new IllegalArgumentException(what + ": no locks (expected: at least one)");
        }
        List<EngineLock> members = new ArrayList<>();
        Set<List<Object>> seen = new HashSet<>();
        for (RLock lock : locks) {
            if (lock instanceof MultiLocks.Composed composed) {
                members.addAll(composed.members());
            } else if (lock instanceof EngineLock member) {
                members.add(member);
            } else {
                throw new IllegalArgumentException(what + ": " + Printable.of(lock) + " is a "
                        + lock.getClass().getName() + " (expected: a lock of a LockClient)");
            }
        }
        for (EngineLock member : members) {
            if (member.facts.isClosed()) {
                throw Failures.closed(member.getName(), "", member.facts.node());
            }
            if (!seen.add(List.of(member.facts, member.keys.key()))) {
                throw new IllegalArgumentException(what + ": lock '" + member.keys + "' at " + member.facts.node()
                        + " is there twice (expected: different locks)");
            }
        }
        return List.copyOf(members);
    }
}
