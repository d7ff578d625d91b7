package io.holdfast.lock.boot;

import io.holdfast.lock.KeyScheme;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Locks: the options of {@link io.holdfast.lock.LockOptions}, each by its name.
 *
 * @param watchdogLease lease of holds that the watchdog renews
 * @param lease fixed lease for calls that name none, instead of the watchdog
 * @param maxHold the watchdog renews no longer than this
 * @param keyScheme how locks are written down at the store
 * @param prefix begins every key and channel of the holdfast scheme
 */
record LockProperties(
        @Nullable Duration watchdogLease,
        @Nullable Duration lease,
        @Nullable Duration maxHold,
        @Nullable KeyScheme keyScheme,
        @Nullable String prefix) {

    static final String ROOM = "lock.";

    void write(OptionWriter texts) {
        texts.add(ROOM + "watchdogLease", watchdogLease);
        texts.add(ROOM + "lease", lease);
        texts.add(ROOM + "maxHold", maxHold);
        texts.add(ROOM + "keyScheme", keyScheme);
        texts.add(ROOM + "prefix", prefix);
    }
}
