package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** The step behind all that waits in the lane of a keeper. */
    private final Map<Object, Runnable> behind = new LinkedHashMap<>();

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

    /** Sets the step of a keeper that runs once its lane is empty; it replaces the one before. */
    void behind(Object keeper, Runnable step) {
        behind.put(keeper, step);
    }

    /** Runs the steps of the keepers whose lane is empty. */
    void proceed() {
        if (!behind.isEmpty()) {
            for (Object keeper : List.copyOf(behind.keySet())) {
                RenewalLane<B> lane = byKeeper.get(keeper);
                Runnable step = lane == null || lane.isEmpty() ? behind.remove(keeper) : null;
                if (step != null) {
                    step.run();
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
