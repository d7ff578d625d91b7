package io.holdfast.lock.examples.cluster;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One process of workers, one for each lock, started by {@code cluster}. It obeys lines on standard input and says on standard
 * output what happens, and ends when standard input does: so it never outlives its parent.
 *
 * <pre>
 *             ready                 connected, and has warmed up
 * go       -> so-far LOCK=COUNTS*   what its workers have counted, ten times a second
 * first L  -> granted L             once, at the next grant
 * stop     -> done LOCK=COUNTS*     all its workers have gone home
 * </pre>
 */
@Command(
        name = ClusterWorkersCommand.NAME,
        hidden = true,
        description = "One process of workers, started by 'cluster'.")
public final class ClusterWorkersCommand implements Callable<Integer> {

    static final String NAME = "cluster-workers";

    private static final int WARM_UPS = 3;
    private static final long SO_FAR_MILLIS = 100;

    @Option(names = "--locks", required = true)
    private String lockUrl = "";

    @Option(names = "--numbers", required = true)
    private String numberUrl = "";

    @Option(names = "--names", required = true, split = ",")
    private List<String> names = List.of();

    @Option(names = "--lease", required = true)
    private long leaseMillis;

    @Option(names = "--think", required = true)
    private long thinkMicros;

    @Option(names = "--log")
    private boolean log;

    private final PrintStream answers = System.out;
    private final Map<String, LockCounts> counts = new LinkedHashMap<>();
    private final Set<String> first = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!log) {
            ((Logger) LoggerFactory.getLogger("io.holdfast.lock")).setLevel(Level.ERROR);
        }
        ClientOptions watched = ClientOptions.builder()
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofMillis(leaseMillis))
                        .build())
                .build();
        // It does not fail, so whether a write was accepted has to be known even on a busy machine.
        ClientOptions patient =
                ClientOptions.builder().commandTimeout(Duration.ofSeconds(20)).build();
        try (LockClient locks = LockClient.connect(lockUrl, watched);
                LockClient numbers = LockClient.connect(numberUrl, patient)) {
            List<Worker> workers = new ArrayList<>();
            for (String name : names) {
                counts.put(name, new LockCounts());
                workers.add(new Worker(
                        locks.getLock(name),
                        numbers.getFencedValue(name),
                        counts.get(name),
                        thinkMicros,
                        this::granted,
                        () -> over));
            }
            warmUp(locks, numbers);
            say("ready");
            serve(workers);
        }
        return 0;
    }

    /** Has the classes loaded that all workers need, and all nodes connected. */
    private void warmUp(LockClient locks, LockClient numbers) throws InterruptedException {
        for (int visit = 0; visit < WARM_UPS; visit++) {
            for (String name : names) {
                locks.getLock(name).acquire().close();
                numbers.getFencedValue(name).get();
            }
        }
    }

    private void serve(List<Worker> workers) throws IOException, InterruptedException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (!"go".equals(orders.readLine())) {
            return;
        }
        workers.forEach(Thread::start);
        ScheduledExecutorService reports = Executors.newSingleThreadScheduledExecutor();
        try {
            reports.scheduleAtFixedRate(
                    () -> say("so-far " + takeLine()), SO_FAR_MILLIS, SO_FAR_MILLIS, TimeUnit.MILLISECONDS);
            while (!over) {
                String order = orders.readLine();
                if (order == null) {
                    return;
                }
                obey(order);
            }
            for (Worker worker : workers) {
                worker.join();
            }
        } finally {
            reports.shutdownNow();
        }
        say("done " + takeLine());
    }

    private void obey(String order) {
        if (order.equals("stop")) {
            over = true;
        } else if (order.startsWith("first ")) {
            first.add(order.substring("first ".length()));
        } else {
            throw new IllegalArgumentException("order: '" + order + "' (expected: first LOCK, or stop)");
        }
    }

    private void granted(String name) {
        if (first.remove(name)) {
            say("granted " + name);
        }
    }

    private String takeLine() {
        StringJoiner line = new StringJoiner(" ");
        counts.forEach((name, counted) -> line.add(name + "=" + counted.takeLine()));
        return line.toString();
    }

    private synchronized void say(String line) {
        answers.println(line);
        answers.flush();
    }
}
