package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The lanes of renewals: one for each keeper that has something to renew, so that what holds up the renewals of one node holds
 * up no other's. A cluster has as many as it has masters, and not one for each slot: each lane is looked at at every alarm.
 *
 * <p>Belongs to the steps of the watchdog.
 *
 * @param <B> the calls of a round
 */
final class RenewalLanes<B extends ScriptCall> {

    private final Map<Object, RenewalLane<B>> byKeeper = new LinkedHashMap<>();

    /** What goes behind all that waits in the lanes of a store. */
    private final Map<Store, Consumer<Store>> behind = new LinkedHashMap<>();

    /** The lane of a lease, by what keeps its slot now. */
    RenewalLane<B> of(StoreLease lease) {
        Object keeper = lease.store.backend().keeper(lease.slot());
        RenewalLane<B> known = byKeeper.get(keeper);
        return known == null ? byKeeper.computeIfAbsent(keeper, first -> new RenewalLane<>(lease.store)) : known;
    }

    /** The lanes of now; those that are of no use are forgotten. */
    List<RenewalLane<B>> all() {
        if (byKeeper.size() > 1) {
            byKeeper.values().removeIf(RenewalLane::isIdle);
        }
        return new ArrayList<>(byKeeper.values());
    }

    /** A step that goes behind all that waits for this store: one for each. */
    void behind(Store store, Consumer<Store> step) {
        behind.put(store, step);
    }

    /** Runs the steps of those stores for which nothing waits any more. */
    void proceed() {
        if (!behind.isEmpty()) {
            for (Store store : List.copyOf(behind.keySet())) {
                if (byKeeper.values().stream().allMatch(lane -> lane.store != store || lane.isEmpty())) {
                    Consumer<Store> step = behind.remove(store);
                    if (step != null) {
                        step.accept(store);
                    }
                }
            }
        }
    }

    /** Forgets what waits. */
    void clear() {
        behind.clear();
        byKeeper.values().forEach(RenewalLane::clear);
    }
}
