package io.holdfast.lock.engine.multi;

import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.lock.EngineLock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the members of a MultiLock are kept: which key at which server. */
final class Places {

    private Places() {}

    /**
     * Refuses members that would wait for each other: what one of them leaves to another must be a majority of the other's
     * places.
     */
    static void checkApart(List<EngineLock> members) {
        for (EngineLock member : members) {
            Set<List<String>> own = of(member);
            Set<List<String>> free = new HashSet<>(own);
            members.stream()
                    .filter(other -> !other.equals(member))
                    .map(Places::of)
                    .forEach(free::removeAll);
            if (free.size() < HoldLeases.majority(own.size())) {
                throw together(member);
            }
        }
    }

    private static IllegalArgumentException together(EngineLock member) {
        String lock = "MultiLock: lock '" + member.keys + "' at " + member.facts.node();
        return new IllegalArgumentException(
                member.facts.isQuorum()
                        ? lock + " would wait for itself: other members have the same lock at so many of its servers"
                                + " that no majority is left (expected: different locks)"
                        : lock + " is there twice, by two clients (expected: different locks)");
    }

    private static Set<List<String>> of(EngineLock member) {
        return member.facts.stores().stream()
                .map(store -> place(store, member.keys.at(store)))
                .collect(Collectors.toSet());
    }

    private static List<String> place(Store store, LockKeys keys) {
        return List.of(store.backend().server(keys.slot), keys.key());
    }
}
