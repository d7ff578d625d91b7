package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import io.holdfast.lock.benchmarks.workload.Bench;
import io.holdfast.lock.benchmarks.workload.Effort;
import io.holdfast.lock.benchmarks.workload.Round;
import io.holdfast.lock.benchmarks.workload.Workload;
import io.holdfast.lock.benchmarks.workload.Workload.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The order in which everything is measured. In each workload all peers are warmed up, then have their rounds in turn.
 * Every other round goes backwards, so that nobody always follows the same neighbour, and each pair of rounds begins with
 * somebody else: whatever drifts, drifts for all.
 */
final class Run {

    /** How long commands are counted. */
    private static final long COUNTING_MILLIS = 100;

    private final Bench bench;
    private final Progress progress;
    private final Set<Practice> practised = new HashSet<>();

    /** What a peer has done. */
    private record Practice(PeerKind peer, String what) {}

    Run(Bench bench, Progress progress) {
        this.bench = bench;
        this.progress = progress;
    }

    WorkloadResult measure(Workload workload) {
        Effort effort = bench.effort();
        WorkloadResult result = new WorkloadResult(workload.about());
        progress.begin(workload);
        try (Session session = workload.open(bench)) {
            List<PeerKind> peers = workload.peers();
            if (session.warmsUp()) {
                for (PeerKind peer : peers) {
                    progress.step("warming up " + peer.shortTitle());
                    boolean first = practised.add(new Practice(peer, workload.practice()));
                    session.round(peer, Round.warmUp(first ? effort.firstWarmUpMillis() : effort.warmUpMillis()));
                }
            }
            for (int round = 0; round < effort.rounds(); round++) {
                for (PeerKind peer : inTurn(peers, round)) {
                    if (round < session.rounds(peer, effort)) {
                        progress.step("round " + (round + 1) + " of " + effort.rounds() + ", " + peer.shortTitle());
                        result.add(peer, session.round(peer, new Round(round, effort.roundMillis(), round == 0)));
                    }
                }
            }
            if (session.countsCommands()) {
                countCommands(session, peers, result);
            }
        }
        progress.end(workload);
        return result;
    }

    private static List<PeerKind> inTurn(List<PeerKind> peers, int round) {
        List<PeerKind> turned = new ArrayList<>(peers);
        Collections.rotate(turned, -(round / 2 % peers.size()));
        if (round % 2 == 1) {
            Collections.reverse(turned);
        }
        return turned;
    }

    /** Counts what clients send, in a short round for itself, since watching the server slows it down. */
    private void countCommands(Session session, List<PeerKind> peers, WorkloadResult result) {
        for (PeerKind peer : peers) {
            progress.step("counting commands of " + peer.shortTitle());
            Sample[] sample = new Sample[1];
            long commands = session.site()
                    .commandsDuring(() -> sample[0] = session.round(
                            peer,
                            Round.warmUp(
                                    Math.min(COUNTING_MILLIS, bench.effort().roundMillis()))));
            long operations = sample[0].operations();
            if (operations > 0) {
                result.addToAll(peer, Metric.COMMANDS, (double) commands / operations);
            }
        }
    }
}
