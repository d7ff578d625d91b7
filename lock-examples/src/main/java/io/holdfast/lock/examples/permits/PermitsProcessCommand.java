package io.holdfast.lock.examples.permits;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.examples.JedisConnections;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import redis.clients.jedis.JedisPool;

/**
 * One process that wants connections, started by {@code permits}. It obeys lines on standard input and answers on standard output, and
 * ends when standard input does: so it never outlives its parent.
 *
 * <pre>
 *                  -> ready       it is connected
 * go KIND NAME                    its threads take, use and give back, again and again
 * stop             -> done        each has given back what it had
 * </pre>
 */
@Command(
        name = PermitsProcessCommand.NAME,
        hidden = true,
        description = "One process that wants connections, started by 'permits'.")
public final class PermitsProcessCommand implements Callable<Integer> {

    static final String NAME = "permits-process";

    @Option(names = "--redis", required = true)
    private String redis = "";

    @Option(names = "--supplier", required = true)
    private int supplierPort;

    @Option(names = "--number", required = true)
    private int number;

    @Option(names = "--threads", required = true)
    private int threads;

    @Option(names = "--lease", required = true)
    private long leaseMillis;

    @Option(names = "--work", required = true)
    private long workMillis;

    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        ((Logger) LoggerFactory.getLogger("io.holdfast.lock")).setLevel(Level.WARN);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ClientOptions options = ClientOptions.builder()
                .commandTimeout(Duration.ofSeconds(10))
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofMillis(leaseMillis))
                        .build())
                .build();
        try (LockClient client = LockClient.connect(redis, options);
                JedisPool jedis = JedisConnections.open(URI.create(redis), threads)) {
            // Loads the classes: what is to be seen are permits, and not how a JVM starts. Without a limit it leaves
            // nothing.
            client.getSemaphore("connections-none").tryAcquire();
            answer("ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                List<String> words = List.of(order.split(" "));
                run(LimitKind.valueOf(words.get(1)).open(client, jedis, words.get(2)), orders);
                answer("done");
            }
        }
        return 0;
    }

    private void run(ConnectionLimit limit, BufferedReader orders)
            throws IOException, InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            running.add(pool.submit(() -> useAgainAndAgain(limit)));
        }
        orders.readLine();
        // Also those that wait for what will never come.
        pool.shutdownNow();
        for (Future<?> each : running) {
            each.get();
        }
    }

    private @Nullable Void useAgainAndAgain(ConnectionLimit limit) throws IOException {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                limit.take();
                try {
                    use();
                } finally {
                    limit.giveBack();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /** Opens a connection, has it for a while, and closes it. */
    private void use() throws IOException, InterruptedException {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), supplierPort)) {
            tell(connection, number);
            TimeUnit.MILLISECONDS.sleep(workMillis);
            tell(connection, 0);
        }
    }

    private static void tell(Socket connection, int word) throws IOException {
        connection.getOutputStream().write(word);
        if (connection.getInputStream().read() != word) {
            throw new IOException("the supplier has gone");
        }
    }

    private void answer(String line) {
        answers.println(line);
        answers.flush();
    }
}
