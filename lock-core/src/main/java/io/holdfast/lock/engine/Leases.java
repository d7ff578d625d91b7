package io.holdfast.lock.engine;

import java.util.Arrays;
import java.util.StringJoiner;

/**
 * The leases of one hold, one per store, and what follows from them: the hold is valid while a majority of the stores'
 * leases is. With a single store, the majority is one.
 */
final class Leases {

    private final StoreLease[] all;
    private final int majority;

    Leases(StoreLease... all) {
        this.all = all;
        this.majority = majority(all.length);
    }

    /** The smallest number of stores of which any two sets have one in common. */
    static int majority(int stores) {
        return stores / 2 + 1;
    }

    /** One per store, in the order of the stores; not to be written. */
    StoreLease[] all() {
        return all;
    }

    StoreLease at(Store store) {
        return all[store.index()];
    }

    boolean isQuorum() {
        return all.length > 1;
    }

    /**
     * Until when the hold is valid: the majority-th largest validity, for that many stores exclude everybody else until
     * then (rule 34). A time that has passed if a majority is gone.
     */
    long validUntilNanos(long now) {
        if (all.length == 1) {
            return all[0].isGranted() ? all[0].validUntilNanos() : now;
        }
        long[] left = new long[all.length];
        int granted = 0;
        for (StoreLease lease : all) {
            if (lease.isGranted()) {
                left[granted++] = lease.validUntilNanos() - now;
            }
        }
        if (granted < majority) {
            return now;
        }
        Arrays.sort(left, 0, granted);
        return now + left[granted - majority];
    }

    /** Whether too few stores are left for the hold ever to be valid again, whatever their leases say. */
    boolean majorityIsGone() {
        int granted = 0;
        for (StoreLease lease : all) {
            if (lease.mayBeThere()) {
                granted++;
            }
        }
        return granted < majority;
    }

    /** Whether fewer than a majority answered their latest renewal. */
    boolean areDoubtful(long now) {
        int sure = 0;
        for (StoreLease lease : all) {
            if (lease.isValid(now) && !lease.isDoubtful()) {
                sure++;
            }
        }
        return sure < majority;
    }

    /** What each store said, for reports. */
    String describe(long now) {
        StringJoiner text = new StringJoiner("; ");
        for (StoreLease lease : all) {
            text.add(lease.store + ": " + lease.describe(now));
        }
        return text.toString();
    }
}
