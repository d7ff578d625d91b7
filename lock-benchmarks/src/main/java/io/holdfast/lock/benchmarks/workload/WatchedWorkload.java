package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.testkit.RawRedis;
import java.util.List;
import java.util.Locale;

/** Many locks that are held and renewed, in a process of their own and on a server that does nothing else. */
record WatchedWorkload(int holds) implements Workload {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;
    /** Commands shorter than this are not looked at. */
    private static final long STALL_FLOOR_MICROS = 100;

    @Override
    public About about() {
        return new About(
                "watched-" + holds,
                "watched",
                String.format(Locale.ROOT, "%,d locks under the watchdog", holds),
                "A process of its own takes the locks and does nothing but renew them, for a while before that is"
                        + " measured. Heap per hold, after collections; processor time and commands per 1,000 renewals"
                        + " that are due; holds that are no longer on the server at the end; the longest command by the"
                        + " server's slow log.",
                Metric.HEAP,
                0);
    }

    @Override
    public List<PeerKind> peers() {
        return List.of(PeerKind.HOLDFAST, PeerKind.REDISSON);
    }

    @Override
    public long expectedMillis(Effort effort) {
        return effort.costlyRounds()
                * peers().size()
                * (effort.watchdogLeaseMillis() * (effort.watchedWarmUpPeriods() + effort.watchedPeriods()) / 3
                        + 2_500
                        + holds / 20);
    }

    @Override
    public Session open(Bench bench) {
        int number = Math.max(1, holds / bench.effort().scale());
        return new Session() {
            @Override
            public Sample round(PeerKind kind, Round round) {
                return measure(bench, kind, number);
            }

            @Override
            public int rounds(PeerKind peer, Effort effort) {
                return effort.costlyRounds();
            }

            @Override
            public boolean warmsUp() {
                return false;
            }

            @Override
            public void close() {
                bench.site().clear();
            }
        };
    }

    private static Sample measure(Bench bench, PeerKind kind, int number) {
        long leaseMillis = bench.effort().watchdogLeaseMillis();
        int warmUpPeriods = bench.effort().watchedWarmUpPeriods();
        int periods = bench.effort().watchedPeriods();
        bench.site().clear();
        List<String> arguments = List.of(
                kind.name(),
                bench.server().url(),
                bench.site().transport().name(),
                String.valueOf(leaseMillis),
                String.valueOf(number));
        try (Child child = new Child(bench.effort().childOptions(), WatchProgram.class, arguments);
                RawRedis server = bench.server().connect()) {
            double heap = Double.parseDouble(child.await("heap"));
            child.tell(String.valueOf(leaseMillis * warmUpPeriods / 3));
            child.await("cpu");
            server.command("CONFIG", "SET", "slowlog-log-slower-than", String.valueOf(STALL_FLOOR_MICROS));
            server.command("CONFIG", "SET", "slowlog-max-len", "100000");
            server.command("SLOWLOG", "RESET");
            long callsBefore = scriptCalls(server);
            child.tell(String.valueOf(leaseMillis * periods / 3));
            long cpuNanos = Long.parseLong(child.await("cpu"));
            double renewals = (double) periods * number / 1_000;
            double calls = scriptCalls(server) - callsBefore;
            double stallMillis = longestMicros(server) / MICROS_PER_MILLI;
            long left = server.list("KEYS", "*watched:*").stream()
                    .filter(key -> !key.contains("token"))
                    .count();
            return Sample.builder()
                    .value(Metric.HEAP, heap)
                    .value(Metric.RENEWAL_CPU, cpuNanos / NANOS_PER_MILLI / renewals)
                    .value(Metric.RENEWAL_COMMANDS, calls / renewals)
                    .value(Metric.STALL, stallMillis)
                    .value(Metric.MISSED, number - left)
                    .build();
        }
    }

    private static long scriptCalls(RawRedis server) {
        return server.calls("evalsha") + server.calls("eval");
    }

    private static long longestMicros(RawRedis server) {
        long longest = STALL_FLOOR_MICROS;
        if (server.command("SLOWLOG", "GET", "-1") instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof List<?> fields && fields.get(2) instanceof Long micros) {
                    longest = Math.max(longest, micros);
                }
            }
        }
        return longest;
    }
}
