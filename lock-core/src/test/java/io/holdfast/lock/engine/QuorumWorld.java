package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * A seeded run of three clients that want one lock of three or five nodes, over links with delays and faults drawn by
 * lot. One seed, one run. It fails when two holds are valid at once, when a token is not greater than all before it, when
 * a call never ends, or when a field outlives everybody who may have wanted it.
 */
final class QuorumWorld {
    private static final int STEPS = 250;
    private static final long THREADS = 2;
    private static final int CLIENTS = 3;
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(2);
    private static final LockOptions LOCK =
            LockOptions.builder().watchdogLease(LONGEST_LEASE).build();

    private final Random random;
    private final boolean restarts;
    private final int size;
    private final QuorumOptions options;
    private final ManualRuntime runtime;
    private final List<ModelNode> nodes = new ArrayList<>();
    private final List<ModelLink> links = new ArrayList<>();
    private final List<RLock> locks = new ArrayList<>();

    private final List<CompletableFuture<?>> calls = new ArrayList<>();
    private final List<LockHold> holds = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private long highestToken;
    private long restartAllowedNanos;
    int granted;

    /**
     * @param restarts whether nodes are restarted and forget everything, one at a time
     * @param restartGuard whether clients leave such nodes out
     */
    QuorumWorld(long seed, boolean restarts, boolean restartGuard) {
        this.options = QuorumOptions.builder()
                .longestLease(LONGEST_LEASE)
                .restartGuard(restartGuard)
                .build();
        this.random = new Random(seed);
        this.restarts = restarts;
        this.size = seed % 4 == 0 ? 5 : 3;
        this.runtime = new ManualRuntime(seed);
        this.restartAllowedNanos = runtime.nanos();
        for (int i = 0; i < size; i++) {
            long minutesApart = TimeUnit.MINUTES.toMicros(random.nextInt(3) == 0 ? random.nextInt(20) : 0);
            nodes.add(new ModelNode(
                    runtime,
                    String.valueOf((char) ('a' + i)),
                    1_000_000_000_000L + minutesApart + random.nextInt(5_000),
                    runtime.nanos() - TimeUnit.HOURS.toNanos(1)));
        }
        for (int i = 0; i < CLIENTS; i++) {
            newClient();
        }
    }

    private void newClient() {
        List<ModelLink> own =
                nodes.stream().map(node -> new ModelLink(node, runtime, random)).toList();
        links.addAll(own);
        LockClient client = EngineClient.overQuorum(own, ClientOptions.defaults(), options, "client" + locks.size());
        locks.add(client.getLock("stock", LOCK));
    }

    void run() {
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(15)) {
                case 0, 1 -> tryAcquire(Duration.ofMillis(random.nextInt(400)), lease());
                case 2 -> acquire();
                case 3 -> tryAcquire(Duration.ZERO, lease());
                case 4, 5 -> releaseOne();
                case 6 -> cancelOne();
                case 7 -> extendOne();
                case 8 -> fault();
                case 9 -> lockByThread();
                case 10, 11 -> unlockByThread();
                default -> runtime.advanceMillis(1 + random.nextInt(40));
            }
            assertThat(wrong).isEmpty();
        }
        settle();
    }

    // --- what clients do ---

    private Duration lease() {
        return Duration.ofMillis(50 + random.nextInt(1_000));
    }

    private RLock lock() {
        return locks.get(random.nextInt(locks.size()));
    }

    private void tryAcquire(Duration wait, Duration lease) {
        CompletableFuture<Optional<LockHold>> call =
                lock().tryAcquireAsync(wait, lease).toCompletableFuture();
        calls.add(call);
        call.thenAccept(hold -> hold.ifPresent(this::handedOut));
    }

    private void acquire() {
        CompletableFuture<LockHold> call = lock().acquireAsync().toCompletableFuture();
        calls.add(call);
        call.thenAccept(this::handedOut);
    }

    /** Called within a future, which would keep a failure to itself. */
    private void handedOut(LockHold hold) {
        granted++;
        for (LockHold other : holds) {
            if (isValid(other)) {
                wrong.add(hold + " is valid, and so is " + other);
            }
        }
        if (threadsThatHold() > 0) {
            wrong.add(hold + " is valid, and so is a thread's");
        }
        holds.removeIf(other -> !isValid(other));
        holds.add(hold);
        long token = hold.fencingToken();
        if (!restarts && token <= highestToken) {
            wrong.add("the token of " + hold + " is not greater than " + highestToken);
        }
        highestToken = Math.max(highestToken, token);
    }

    /** Threads enter again; their holds tell no more than whether they have it. */
    private void lockByThread() {
        CompletableFuture<Boolean> call = lock().tryLockAsync(
                        random.nextInt(300), random.nextBoolean() ? -1 : 500, TimeUnit.MILLISECONDS, thread())
                .toCompletableFuture();
        calls.add(call);
        call.thenAccept(got -> {
            if (threadsThatHold() > 1
                    || (threadsThatHold() > 0 && holds.stream().anyMatch(QuorumWorld::isValid))) {
                wrong.add("a thread's hold is valid, and so is another");
            }
        });
    }

    private void unlockByThread() {
        calls.add(lock().unlockAsync(thread()).toCompletableFuture());
    }

    private long thread() {
        return 1 + random.nextInt((int) THREADS);
    }

    private long threadsThatHold() {
        return locks.stream()
                .mapToLong(lock -> LongStream.rangeClosed(1, THREADS)
                        .filter(lock::isHeldByThread)
                        .count())
                .sum();
    }

    private static boolean isValid(LockHold hold) {
        return hold.state() == HoldState.HELD || hold.state() == HoldState.UNCERTAIN;
    }

    private void releaseOne() {
        if (!holds.isEmpty()) {
            calls.add(holds.get(random.nextInt(holds.size())).releaseAsync().toCompletableFuture());
        }
    }

    private void extendOne() {
        if (!holds.isEmpty()) {
            calls.add(
                    holds.get(random.nextInt(holds.size())).extendAsync(lease()).toCompletableFuture());
        }
    }

    private void cancelOne() {
        if (!calls.isEmpty()) {
            calls.get(random.nextInt(calls.size())).cancel(false);
        }
    }

    // --- what goes wrong ---

    private void fault() {
        ModelLink link = links.get(random.nextInt(links.size()));
        switch (random.nextInt(restarts ? 5 : 4)) {
            case 0 -> link.stall(random.nextInt(300));
            case 1 -> link.stall(random.nextInt(3_000));
            case 2 -> link.breakFor(random.nextInt(500));
            case 3 -> runtime.jumpMillis(random.nextInt(random.nextInt(20) == 0 ? 3_000 : 50));
            default -> restart(random.nextInt(size));
        }
    }

    private void restart(int index) {
        if (runtime.nanos() < restartAllowedNanos) {
            return;
        }
        restartAllowedNanos = runtime.nanos() + 3 * LONGEST_LEASE.toNanos();
        nodes.get(index).restart();
        for (int i = index; i < links.size(); i += size) {
            links.get(i).breakFor(1 + random.nextInt(50));
        }
        if (random.nextBoolean()) {
            newClient();
        }
    }

    // --- the end ---

    /** Everybody gives up and gives back; then nothing may be left, well before the leases would end by themselves. */
    private void settle() {
        giveBack();
        for (int i = 0; i < 400 && calls.stream().anyMatch(call -> !call.isDone()); i++) {
            runtime.advanceMillis(10);
            giveBack();
        }
        List.copyOf(calls).forEach(call -> call.cancel(false));
        runtime.advanceMillis(5_000);
        assertThat(wrong).isEmpty();
        assertThat(calls).as("calls that have not ended").allMatch(CompletableFuture::isDone);
        assertThat(nodes).allSatisfy(node -> assertThat(node.fields())
                .as("fields left at " + node.name)
                .isEmpty());
    }

    private void giveBack() {
        holds.stream()
                .filter(hold -> hold.state() != HoldState.RELEASED)
                .forEach(hold -> calls.add(hold.releaseAsync().toCompletableFuture()));
        holds.removeIf(hold -> !isValid(hold));
        for (RLock lock : locks) {
            LongStream.rangeClosed(1, THREADS)
                    .filter(lock::isHeldByThread)
                    .forEach(thread -> calls.add(lock.unlockAsync(thread).toCompletableFuture()));
        }
    }
}
