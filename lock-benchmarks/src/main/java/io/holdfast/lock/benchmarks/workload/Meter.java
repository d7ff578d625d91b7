package io.holdfast.lock.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What operations cost beside time: processor time of this process and of the servers, bytes allocated by all threads of
 * this process, commands executed by the servers, those inside scripts included.
 */
final class Meter {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;
    /** What this meter itself asks for, and what finds out whether a server is there. */
    private static final Set<String> NOT_COUNTED = Set.of("info", "ping", "config");

    private final List<RedisServer> servers;
    private final Map<Long, Long> allocatedBefore;
    private final long cpuBeforeNanos;
    private final double serverCpuBeforeMicros;
    private final long callsBefore;

    private Meter(List<RedisServer> servers) {
        this.servers = servers;
        this.serverCpuBeforeMicros = serverCpuMicros();
        this.callsBefore = calls();
        this.cpuBeforeNanos = SYSTEM.getProcessCpuTime();
        this.allocatedBefore = allocated();
    }

    /** Begins; servers that hang must not be among them. */
    static Meter start(List<RedisServer> servers) {
        return new Meter(servers);
    }

    /** Ends, and divides what was used by the number of operations. */
    void finish(Sample.Builder sample, long operations) {
        Map<Long, Long> allocatedAfter = allocated();
        long cpuNanos = SYSTEM.getProcessCpuTime() - cpuBeforeNanos;
        long allocated = 0;
        for (Map.Entry<Long, Long> thread : allocatedAfter.entrySet()) {
            allocated += Math.max(0, thread.getValue() - allocatedBefore.getOrDefault(thread.getKey(), 0L));
        }
        if (operations > 0) {
            sample.value(Metric.CLIENT_CPU, cpuNanos / NANOS_PER_MICRO / operations);
            sample.value(Metric.ALLOCATED, (double) allocated / operations);
            if (!servers.isEmpty()) {
                sample.value(Metric.SERVER_CPU, (serverCpuMicros() - serverCpuBeforeMicros) / operations);
                sample.value(Metric.CALLS, (double) (calls() - callsBefore) / operations);
            }
        }
    }

    /** Bytes allocated by each thread so far, but by this one, which only measures. */
    private static Map<Long, Long> allocated() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> byThread = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0 && ids[i] != Thread.currentThread().getId()) {
                byThread.put(ids[i], bytes[i]);
            }
        }
        return byThread;
    }

    private double serverCpuMicros() {
        double seconds = 0;
        for (RedisServer server : servers) {
            try (RawRedis connection = server.connect()) {
                Map<String, String> cpu = connection.info("cpu");
                seconds += Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys"));
            }
        }
        return seconds * MICROS_PER_SECOND;
    }

    private long calls() {
        long calls = 0;
        for (RedisServer server : servers) {
            try (RawRedis connection = server.connect()) {
                for (Map.Entry<String, String> command :
                        connection.info("commandstats").entrySet()) {
                    String name = command.getKey().replace("cmdstat_", "");
                    String stats = command.getValue();
                    if (!NOT_COUNTED.contains(name)) {
                        calls += Long.parseLong(stats.substring("calls=".length(), stats.indexOf(',')));
                    }
                }
            }
        }
        return calls;
    }
}
