package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.cluster.ClusterTraffic;
import io.holdfast.lock.netty.cluster.ClusterTraffic.Primary;
import io.holdfast.lock.netty.cluster.ClusterWays;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Share;
import io.holdfast.lock.spi.Survey;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A survey of a cluster: a map is asked for first, and then each primary that it names. Without a map the nodes are asked that the
 * user has named, and why there is none is reported of the cluster itself.
 *
 * <p>All methods are called on the event loop.
 */
final class ClusterSurvey {

    /** So many nodes are asked at a time: a cluster may have a thousand. */
    private static final int MOST_AT_A_TIME = 32;

    private final ClusterTraffic traffic;
    private final ClusterWays ways;
    private final IoLoops loops;
    private final Runtime runtime;
    private final Survey survey;
    private final CompletableFuture<List<ServerReport>> result;

    private final Queue<ServerSurvey> left = new ArrayDeque<>();
    private final Set<ServerSurvey> open = new HashSet<>();
    private final List<ServerReport> reports = new ArrayList<>();
    private @Nullable ScheduledFuture<?> patience;
    private boolean begun;

    /** What the cluster itself is reported with where there is no map; null if there is one. */
    private @Nullable ServerReport withoutMap;

    /** @param result completes with the reports; the caller completes it to give up */
    ClusterSurvey(
            ClusterTraffic traffic,
            ClusterWays ways,
            IoLoops loops,
            Runtime runtime,
            Survey survey,
            CompletableFuture<List<ServerReport>> result) {
        this.traffic = traffic;
        this.ways = ways;
        this.loops = loops;
        this.runtime = runtime;
        this.survey = survey;
        this.result = result;
    }

    /**
     * Wants a map of now, and waits for it.
     *
     * @param seeds the nodes to ask without a map
     * @param longestNanos after how long without a map to go on
     * @param noMap how the cluster is reported then
     */
    void begin(List<Target.Host> seeds, long longestNanos, ServerReport noMap) {
        withoutMap = noMap;
        patience = traffic.loop().schedule(() -> ask(seeds), longestNanos, TimeUnit.NANOSECONDS);
        traffic.start();
    }

    /** There is a map. */
    void mapped() {
        ask(List.of());
    }

    /** There is no map, and another round of questions follows. */
    void unmapped(List<Target.Host> seeds, Fault fault) {
        ServerReport before = withoutMap;
        if (before != null && !begun) {
            withoutMap = ServerReport.unreachable(before.node(), fault, before.share());
        }
        ask(seeds);
    }

    /** Ends without an answer. */
    void cancel() {
        if (patience != null) {
            patience.cancel(false);
        }
        left.clear();
        open.forEach(ServerSurvey::cancel);
        result.complete(List.of());
    }

    /** Asks the primaries of the latest map; without one the seeds. */
    private void ask(List<Target.Host> seeds) {
        if (begun || result.isDone()) {
            return;
        }
        begun = true;
        if (patience != null) {
            patience.cancel(false);
        }
        List<Primary> primaries = traffic.primaries();
        for (Primary primary : primaries) {
            add(ways.toNode(primary.node().host()), new Share(primary.slots(), primary.failed(), null, List.of()));
        }
        if (primaries.isEmpty()) {
            seeds.forEach(seed -> add(ways.toSeed(seed), new Share(List.of(), false, null, List.of())));
        } else {
            withoutMap = null;
        }
        askNext();
    }

    private void add(ConnectionSettings node, Share share) {
        ServerSurvey[] own = new ServerSurvey[1];
        own[0] = new ServerSurvey(
                traffic.loop(), loops, runtime, node, null, survey, share, report -> heard(own[0], report));
        left.add(own[0]);
    }

    private void askNext() {
        while (open.size() < MOST_AT_A_TIME && !left.isEmpty()) {
            ServerSurvey next = left.remove();
            open.add(next);
            next.begin();
        }
        if (open.isEmpty() && !result.isDone()) {
            ServerReport noMap = withoutMap;
            // What keeps each of the nodes from an answer keeps the client from a map.
            if (noMap != null && reports.stream().anyMatch(report -> report.unreachable() == null)) {
                reports.add(noMap);
            }
            result.complete(List.copyOf(reports));
        }
    }

    private void heard(ServerSurvey asked, ServerReport report) {
        if (open.remove(asked) && !result.isDone()) {
            reports.add(report);
            askNext();
        }
    }
}
