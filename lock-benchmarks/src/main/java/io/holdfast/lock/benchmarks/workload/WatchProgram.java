package io.holdfast.lock.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.benchmarks.peer.HoldfastPeer;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.RedissonPeer;
import io.holdfast.lock.benchmarks.peer.Transport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.redisson.Redisson;
import org.redisson.config.Config;

/**
 * A process that takes many locks and keeps them under the watchdog. It says what they take of the heap, and on being
 * told to measure, how much processor time it used while it did nothing but renew.
 */
final class WatchProgram {

    private static final int IN_FLIGHT = 512;
    private static final int WARM_UP = 2_000;
    private static final int COLLECTIONS = 4;

    private WatchProgram() {}

    /** Takes locks by number and gives them back. */
    private record Client(IntFunction<CompletionStage<?>> lock, IntFunction<CompletionStage<?>> unlock) {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Client client = connect(
                PeerKind.valueOf(arguments[0]),
                arguments[1],
                Transport.valueOf(arguments[2]),
                Long.parseLong(arguments[3]));
        int holds = Integer.parseInt(arguments[4]);
        all(client.lock, 0, Math.min(WARM_UP, holds));
        all(client.unlock, 0, Math.min(WARM_UP, holds));
        long heapBefore = heap();
        all(client.lock, 0, holds);
        System.out.println("heap " + (double) (heap() - heapBefore) / holds);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            long cpuNanos = system.getProcessCpuTime();
            Thread.sleep(Long.parseLong(order));
            System.out.println("cpu " + (system.getProcessCpuTime() - cpuNanos));
        }
        Runtime.getRuntime().halt(0);
    }

    private static Client connect(PeerKind kind, String url, Transport transport, long leaseMillis) {
        long owner = 1_000_000;
        if (kind == PeerKind.REDISSON) {
            Config config = RedissonPeer.config(url, transport);
            config.setLockWatchdogTimeout(leaseMillis);
            var redisson = Redisson.create(config);
            return new Client(
                    number -> redisson.getLock(name(number)).lockAsync(owner),
                    number -> redisson.getLock(name(number)).unlockAsync(owner));
        }
        LockOptions watched = LockOptions.builder()
                .watchdogLease(Duration.ofMillis(leaseMillis))
                .build();
        LockClient holdfast = LockClient.connect(
                url, HoldfastPeer.options(transport).lockOptions(watched).build());
        return new Client(
                number -> holdfast.getLock(name(number)).lockAsync(owner),
                number -> holdfast.getLock(name(number)).unlockAsync(owner));
    }

    static String name(int number) {
        return "watched:" + number;
    }

    private static void all(IntFunction<CompletionStage<?>> call, int from, int to) {
        Deque<CompletionStage<?>> underWay = new ArrayDeque<>();
        for (int number = from; number < to; number++) {
            if (underWay.size() == IN_FLIGHT) {
                underWay.remove().toCompletableFuture().join();
            }
            underWay.add(call.apply(number));
        }
        underWay.forEach(each -> each.toCompletableFuture().join());
    }

    /** What is in use after a collection; the least of a few, since what a renewal in progress holds is not a hold's. */
    private static long heap() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(50);
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
