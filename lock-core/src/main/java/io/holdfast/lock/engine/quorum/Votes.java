package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Fault;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** What the nodes say in one round, and what a round that was lost comes to. Belongs to the cell's steps. */
final class Votes {

    private final List<Vote> all;
    private final int majority;

    Votes(List<Store> stores) {
        this.all = stores.stream().map(Vote::new).toList();
        this.majority = HoldLeases.majority(all.size());
    }

    List<Vote> all() {
        return all;
    }

    List<Seat> seats() {
        return all.stream().map(vote -> vote.seat).toList();
    }

    // --- a round that was lost ---

    /** Others have the lock, or stand in the way of a majority. */
    Outcome refusal() {
        Map<String, Integer> holders = new HashMap<>();
        int most = 0;
        long[] freeInMillis = new long[all.size()];
        for (int i = 0; i < freeInMillis.length; i++) {
            Vote vote = all.get(i);
            freeInMillis[i] = vote.hasGranted() ? 0 : Long.MAX_VALUE;
            if (vote.hasRefused()) {
                most = Math.max(most, holders.merge(vote.holder, 1, Integer::sum));
                freeInMillis[i] = vote.timeToLiveMillis < 0 ? Long.MAX_VALUE : vote.timeToLiveMillis;
            }
        }
        Arrays.sort(freeInMillis);
        long majorityFree = freeInMillis[majority - 1];
        long timeToLiveMillis = majorityFree == Long.MAX_VALUE ? -1 : majorityFree;
        return new Outcome.Refused(timeToLiveMillis, most < majority);
    }

    /** Too few nodes answer, or count. */
    Outcome failure(String node) {
        StringJoiner said = new StringJoiner("; ");
        Fault hopeless = null;
        int hopelessNodes = 0;
        int fullNodes = 0;
        boolean maybeApplied = false;
        for (Vote vote : all) {
            said.add(vote.store + ": " + vote.said);
            maybeApplied |= vote.mayHaveGranted() && !vote.hasGranted();
            Fault fault = vote.fault;
            fullNodes += fault != null && fault.kind() == Fault.Kind.QUEUE_FULL ? 1 : 0;
            if (fault != null && !fault.kind().isTransient()) {
                hopeless = fault;
                hopelessNodes++;
            }
        }
        int mostMissing = all.size() - majority;
        Fault.Kind what = hopeless != null && hopelessNodes > mostMissing
                ? hopeless.kind()
                : fullNodes > mostMissing ? Fault.Kind.QUEUE_FULL : Fault.Kind.NO_MAJORITY;
        Fault fault = new Fault(what, maybeApplied, node, said.toString());
        return new Outcome.Failed(fault, true, quarantineNanos());
    }

    /** In how long enough nodes count, if those that answer now do so then; 0 if others are missing, too. */
    private long quarantineNanos() {
        long answering = all.stream()
                .filter(vote -> vote.hasGranted() || vote.hasRefused())
                .count();
        long[] leftOut = all.stream()
                .mapToLong(vote -> vote.quarantineNanos)
                .filter(nanos -> nanos >= 0)
                .sorted()
                .toArray();
        int wanted = (int) (majority - answering);
        return wanted > 0 && wanted <= leftOut.length ? leftOut[wanted - 1] + 1 : 0;
    }
}
