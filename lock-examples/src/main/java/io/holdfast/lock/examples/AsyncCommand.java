package io.holdfast.lock.examples;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.duration;
import static io.holdfast.lock.examples.console.Text.millis;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Samples;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Thousands of futures, few threads. */
@Command(
        name = "async",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Thousands of futures at once, served by a handful of threads.",
        description = {
            "First, thousands of acquireAsync() share a few locks; each then reads a counter, goes away, comes back on "
                    + "another thread, writes the counter raised by one, and releases. No update may be lost.",
            "Second, as many tryLockAsync() race for one lock: exactly one may win.",
            "Third, as many calls wait for a lock that is held, and are cancelled: nobody may be left waiting.",
            "",
            "Exit code: 0 if all three came out right, else 1."
        })
final class AsyncCommand implements Callable<Integer> {

    private static final long LOOK_MILLIS = 50;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--calls", defaultValue = "5000", description = "Calls in each part (default: ${DEFAULT-VALUE}).")
    private int calls;

    @Option(names = "--locks", defaultValue = "50", description = "Locks they share (default: ${DEFAULT-VALUE}).")
    private int locks;

    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private final Table table = new Table("part", "calls", "outcome", "calls/s", "p50", "p95", "p99", "max");

    @Override
    public Integer call() throws InterruptedException {
        if (calls < 1 || calls > 50_000 || locks < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--calls " + calls + ", --locks " + locks + " (expected: 1 to 50000 calls, at least 1 lock)");
        }
        Console console = server.console();
        try (ExampleServer redis = server.open(console);
                LockClient client = LockClient.connect(redis.url(), patient())) {
            console.print("");
            boolean right = share(console, client) & race(console, client) & cancel(console, client);
            console.print(table.lines());
            List<String> threads = clientThreads();
            console.print(
                    "",
                    "p50 to max: ms from the call to its answer; a part makes all its calls at once",
                    "all of it was done by " + Text.plural(threads.size(), "thread") + ":");
            threads.forEach(thread -> console.print("  " + thread));
            return right ? 0 : 1;
        }
    }

    /** Thousands of calls at once take their time on a busy machine. */
    private static ClientOptions patient() {
        return ClientOptions.builder()
                .clientName("async")
                .commandTimeout(Duration.ofSeconds(10))
                .build();
    }

    private boolean share(Console console, LockClient client) throws InterruptedException {
        int[] counters = new int[locks];
        long[] waitNanos = new long[calls];
        AtomicInteger done = new AtomicInteger();
        long startNanos = System.nanoTime();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int call = 0; call < calls; call++) {
            int number = call;
            int which = call % locks;
            RLock lock = client.getLock("async-" + run + "-" + which);
            long askedNanos = System.nanoTime();
            all.add(lock.acquireAsync()
                    .thenCompose(hold -> {
                        waitNanos[number] = System.nanoTime() - askedNanos;
                        return raise(counters, which).thenCompose(raised -> hold.releaseAsync());
                    })
                    .thenRun(done::incrementAndGet)
                    .toCompletableFuture());
        }
        await(console, "acquire, work, release", done, () -> all.stream().allMatch(CompletableFuture::isDone));
        all.forEach(CompletableFuture::join);
        int lost = calls - IntStream.of(counters).sum();
        row(
                console,
                "acquireAsync, " + Text.plural(locks, "lock"),
                count(lost) + " updates lost",
                lost == 0,
                startNanos,
                waitNanos);
        return lost == 0;
    }

    /** Reads, goes away, comes back, writes: an update that is lost unless the lock excludes. */
    private static CompletableFuture<Void> raise(int[] counters, int which) {
        int read = counters[which];
        return CompletableFuture.runAsync(() -> counters[which] = read + 1);
    }

    private boolean race(Console console, LockClient client) throws InterruptedException {
        RLock lock = client.getLock("race-" + run);
        long[] waitNanos = new long[calls];
        AtomicInteger done = new AtomicInteger();
        Queue<Long> winners = new ConcurrentLinkedQueue<>();
        long startNanos = System.nanoTime();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int call = 0; call < calls; call++) {
            int number = call;
            long owner = call + 1;
            long askedNanos = System.nanoTime();
            all.add(lock.tryLockAsync(owner)
                    .thenAccept(won -> {
                        waitNanos[number] = System.nanoTime() - askedNanos;
                        if (won) {
                            winners.add(owner);
                        }
                        done.incrementAndGet();
                    })
                    .toCompletableFuture());
        }
        await(console, "race", done, () -> all.stream().allMatch(CompletableFuture::isDone));
        all.forEach(CompletableFuture::join);
        for (long winner : winners) {
            lock.unlockAsync(winner).toCompletableFuture().join();
        }
        boolean right = winners.size() == 1;
        row(console, "tryLockAsync, 1 lock", Text.plural(winners.size(), "winner"), right, startNanos, waitNanos);
        return right;
    }

    private boolean cancel(Console console, LockClient client) throws InterruptedException {
        RLock lock = client.getLock("cancel-" + run);
        long[] waitNanos = new long[calls];
        AtomicInteger done = new AtomicInteger();
        long startNanos = System.nanoTime();
        try (LockHold held = lock.acquire()) {
            List<RFuture<Optional<LockHold>>> waiting = new ArrayList<>();
            for (int call = 0; call < calls; call++) {
                waiting.add(lock.tryAcquireAsync(LIMIT));
            }
            for (int call = 0; call < calls; call++) {
                if (waiting.get(call).cancel(true)) {
                    done.incrementAndGet();
                }
                waitNanos[call] = System.nanoTime() - startNanos;
            }
            await(console, "cancel", done, () -> client.inspect(lock.getName()).localWaiters() == 0);
        }
        int left = client.inspect(lock.getName()).localWaiters();
        boolean right = left == 0 && !lock.isLocked();
        row(console, "cancelled waits", count(left) + " left waiting", right, startNanos, waitNanos);
        return right;
    }

    private void await(Console console, String part, AtomicInteger done, BooleanSupplier isOver)
            throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!isOver.getAsBoolean() && System.nanoTime() - startNanos < LIMIT.toNanos()) {
            console.live(String.format(
                    "  %-24s %s %s of %s",
                    part, Text.bar(done.get() / (double) calls, 24), count(done.get()), count(calls)));
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        console.endLive();
        if (!isOver.getAsBoolean()) {
            throw new IllegalStateException(part + ": " + count(done.get()) + " of " + count(calls)
                    + " calls ended within " + duration(LIMIT.toNanos()));
        }
    }

    private void row(Console console, String part, String outcome, boolean right, long startNanos, long[] waitNanos) {
        long elapsedNanos = System.nanoTime() - startNanos;
        Samples waits = new Samples();
        LongStream.of(waitNanos).forEach(waits::add);
        table.row(
                part,
                count(calls),
                new Table.Cell(outcome, right ? console::good : console::bad),
                count(Math.round(calls / (elapsedNanos / 1e9))),
                millis(waits.percentile(50)),
                millis(waits.percentile(95)),
                millis(waits.percentile(99)),
                millis(waits.max()));
    }

    private static List<String> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-async"))
                .sorted()
                .toList();
    }
}
