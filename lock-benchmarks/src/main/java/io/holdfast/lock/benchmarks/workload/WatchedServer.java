package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerMode;
import java.util.List;

/** A server in one of its modes, and what it costs to keep many locks there under the watchdog. */
public final class WatchedServer implements AutoCloseable {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final RedisServer server;

    private WatchedServer(RedisServer server) {
        this.server = server;
    }

    public static WatchedServer start(ServerMode mode) {
        return new WatchedServer(RedisServer.builder().mode(mode).start());
    }

    /**
     * What 1,000 renewals cost.
     *
     * @param clientMillis processor time of the client's process
     * @param serverMillis processor time of the server's process
     * @param calls script calls
     */
    public record Cost(double clientMillis, double serverMillis, double calls) {}

    /** Has a process of its own take the locks and renew them, for some periods unmeasured and for as many measured. */
    public Cost measure(int locks, long leaseMillis, int periods) {
        List<String> arguments = List.of(
                PeerKind.HOLDFAST.name(),
                server.url(),
                Transport.DEFAULT.name(),
                String.valueOf(leaseMillis),
                String.valueOf(locks));
        String duration = String.valueOf(leaseMillis * periods / 3);
        try (Child child = new Child(List.of(), WatchProgram.class, arguments);
                RawRedis raw = server.connect()) {
            raw.command("FLUSHALL");
            child.await("heap");
            child.tell(duration);
            child.await("cpu");
            double serverBefore = processorMillis(raw);
            long callsBefore = raw.calls("evalsha");
            child.tell(duration);
            double clientMillis = Long.parseLong(child.await("cpu")) / NANOS_PER_MILLI;
            double thousands = (double) periods * locks / 1_000;
            return new Cost(
                    clientMillis / thousands,
                    (processorMillis(raw) - serverBefore) / thousands,
                    (raw.calls("evalsha") - callsBefore) / thousands);
        }
    }

    private static double processorMillis(RawRedis raw) {
        var used = raw.info("cpu");
        return MILLIS_PER_SECOND
                * (Double.parseDouble(used.get("used_cpu_user")) + Double.parseDouble(used.get("used_cpu_sys")));
    }

    @Override
    public void close() {
        server.close();
    }
}
