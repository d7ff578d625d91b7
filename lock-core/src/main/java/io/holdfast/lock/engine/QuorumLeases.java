package io.holdfast.lock.engine;

import java.util.Arrays;
import java.util.StringJoiner;

/** The leases of a hold at the nodes of a quorum: it is valid while a majority of them is. */
final class QuorumLeases implements Leases {

    private final StoreLease[] all;
    private final int majority;

    QuorumLeases(StoreLease... all) {
        this.all = all;
        this.majority = Leases.majority(all.length);
    }

    @Override
    public int size() {
        return all.length;
    }

    @Override
    public StoreLease get(int index) {
        return all[index];
    }

    @Override
    public boolean isQuorum() {
        return true;
    }

    /** The majority-th largest validity, for that many nodes exclude everybody else until then (rule 34). */
    @Override
    public long validUntilNanos(long now) {
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

    @Override
    public boolean majorityIsGone() {
        int granted = 0;
        for (StoreLease lease : all) {
            if (lease.mayBeThere()) {
                granted++;
            }
        }
        return granted < majority;
    }

    @Override
    public boolean areDoubtful(long now) {
        int sure = 0;
        for (StoreLease lease : all) {
            if (lease.isValid(now) && !lease.isDoubtful()) {
                sure++;
            }
        }
        return sure < majority;
    }

    @Override
    public String describe(long now) {
        StringJoiner text = new StringJoiner("; ");
        for (StoreLease lease : all) {
            text.add(lease.describe(now));
        }
        return text.toString();
    }
}
