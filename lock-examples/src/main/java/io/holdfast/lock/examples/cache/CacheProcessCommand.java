package io.holdfast.lock.examples.cache;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.examples.JedisConnections;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import redis.clients.jedis.JedisPool;

/**
 * One process that uses the cache, started by {@code readwrite}: several readers, or the writer. It obeys lines on standard
 * input and answers on standard output, and ends when standard input does: so it never outlives its parent.
 *
 * <pre>
 *                          ready          connected
 * warm KIND NAME        -> warm           has loaded the classes that all visits need
 * run KIND NAME MILLIS  -> done TALLY     its parties have used the cache for so long
 * </pre>
 */
@Command(
        name = CacheProcessCommand.NAME,
        hidden = true,
        description = "One process that uses the cache, started by 'readwrite'.")
public final class CacheProcessCommand implements Callable<Integer> {

    static final String NAME = "cache-process";

    private static final int WARM_UPS = 30;

    @Option(names = "--redis", required = true)
    private String redis = "";

    @Option(names = "--readers", required = true, description = "0: it is the writer.")
    private int readers;

    @Option(names = "--every", required = true, description = "The writer's pause, in ms.")
    private long everyMillis;

    @Option(names = "--work", required = true, description = "How long a visit takes, in us.")
    private long workMicros;

    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        ((Logger) LoggerFactory.getLogger("io.holdfast.lock")).setLevel(Level.WARN);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LockClient client = LockClient.connect(redis);
                JedisPool jedis = JedisConnections.open(URI.create(redis), readers + 1)) {
            answer("ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                List<String> words = List.of(order.split(" "));
                CacheKind kind = CacheKind.valueOf(words.get(1));
                String name = words.get(2);
                Cache cache = new Cache(jedis, name, workMicros);
                Optional<RLock> lock = readers > 0 ? kind.forReading(client, name) : kind.forWriting(client, name);
                if (words.get(0).equals("warm")) {
                    for (int visit = 0; visit < WARM_UPS; visit++) {
                        visit(lock, cache, visit, new Tally());
                    }
                    answer("warm");
                } else {
                    answer("done "
                            + use(lock, cache, Long.parseLong(words.get(3))).toLine());
                }
            }
        }
        return 0;
    }

    private Tally use(Optional<RLock> lock, Cache cache, long millis) throws InterruptedException, ExecutionException {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Tally tally = new Tally();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> parties = new ArrayList<>();
            for (int party = 0; party < Math.max(readers, 1); party++) {
                parties.add(threads.submit(() -> {
                    for (int number = 0; System.nanoTime() - untilNanos < 0; number++) {
                        visit(lock, cache, number, tally);
                    }
                    return null;
                }));
            }
            for (Future<?> party : parties) {
                party.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return tally;
    }

    private void visit(Optional<RLock> lock, Cache cache, int number, Tally tally) throws InterruptedException {
        long askedNanos = System.nanoTime();
        if (lock.isEmpty()) {
            tally.add(0, use(cache, number));
        } else {
            try (LockHold unused = lock.get().acquire()) {
                tally.add(System.nanoTime() - askedNanos, use(cache, number));
            }
        }
        if (readers == 0) {
            TimeUnit.MILLISECONDS.sleep(everyMillis);
        }
    }

    private boolean use(Cache cache, int number) throws InterruptedException {
        if (readers > 0) {
            return cache.readsWhole();
        }
        cache.write(String.valueOf(number));
        return true;
    }

    private void answer(String line) {
        answers.println(line);
        answers.flush();
    }
}
