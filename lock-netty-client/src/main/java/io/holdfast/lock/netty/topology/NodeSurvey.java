package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.IoLoops;
import io.holdfast.lock.netty.resp.InfoText;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.Survey;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A survey of one node: of the servers in its plan and, where that says how to reach them, of their replicas.
 *
 * <p>All methods are called on the event loop.
 */
final class NodeSurvey {

    /** Bounds what a server can make a client connect to. */
    private static final int MOST_REPLICAS = 16;

    private final EventLoop loop;
    private final IoLoops loops;
    private final Runtime runtime;
    private final SurveyPlan plan;
    private final Survey survey;
    private final CompletableFuture<List<ServerReport>> result;
    private final List<ServerSurvey> surveys = new ArrayList<>();
    private final List<ServerReport> reports = new ArrayList<>();
    private int open;

    NodeSurvey(
            EventLoop loop,
            IoLoops loops,
            Runtime runtime,
            SurveyPlan plan,
            Survey survey,
            CompletableFuture<List<ServerReport>> result) {
        this.loop = loop;
        this.loops = loops;
        this.runtime = runtime;
        this.plan = plan;
        this.survey = survey;
        this.result = result;
    }

    /** @param connected where the client's commands go; null if there is no connection */
    void begin(@Nullable SocketAddress connected) {
        // A name may have more addresses, and this server is the one that keeps the locks.
        ask(plan.first(), plan.isOneServer() ? connected : null, true);
    }

    /** Ends without an answer. */
    void cancel() {
        surveys.forEach(ServerSurvey::cancel);
        result.complete(List.of());
    }

    private void ask(List<ConnectionSettings> servers, @Nullable SocketAddress place, boolean andReplicas) {
        List<ServerSurvey> more = new ArrayList<>();
        for (ConnectionSettings server : servers) {
            more.add(new ServerSurvey(
                    loop, loops, runtime, server, place, survey, null, report -> heard(report, andReplicas)));
        }
        open += more.size();
        surveys.addAll(more);
        more.forEach(ServerSurvey::begin);
    }

    private void heard(ServerReport report, boolean andReplicas) {
        if (result.isDone()) {
            return;
        }
        reports.add(report);
        try {
            askReplicasOf(report, andReplicas);
        } catch (RuntimeException | Error bug) {
            // A diagnosis that never ends is worse than none.
            surveys.forEach(ServerSurvey::cancel);
            result.completeExceptionally(bug);
            return;
        }
        open--;
        if (open == 0) {
            result.complete(List.copyOf(reports));
        }
    }

    private void askReplicasOf(ServerReport report, boolean andReplicas) {
        if (andReplicas && plan.replica() != null) {
            ask(replicasOf(report, plan.replica()), null, false);
        }
    }

    /** How to reach the replicas that a primary names, as far as what it says is an address. */
    private static List<ConnectionSettings> replicasOf(
            ServerReport primary, Function<Target.Host, ConnectionSettings> replica) {
        List<ConnectionSettings> replicas = new ArrayList<>();
        for (String words : InfoText.replicas(primary.info())) {
            Target.Host place = Target.Host.announced(InfoText.word(words, "ip"), InfoText.word(words, "port"));
            if (place != null && replicas.size() < MOST_REPLICAS) {
                replicas.add(replica.apply(place));
            }
        }
        return replicas;
    }
}
