package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Owners in several clients that want a few locks, keep them for a while and give them back; and the look at all of them
 * after each event: never do two hold one lock, by the word of their clients.
 */
final class GuardedOwners {

    private static final long MILLI = 1_000_000;
    private static final long LONGEST_WAIT_MILLIS = 9_000;
    private static final int THREADS = 3;

    private final World world;
    private final Chance chance;
    private final long longestLeaseMillis;
    private final List<SimulatedClient> clients;
    /** What owners were told that they hold, for each lock. */
    private final List<List<Held>> held = new ArrayList<>();

    private int asked;
    private int open;
    private int granted;
    private int lost;
    private int askedLast;
    private int grantedLast;
    private boolean returning;

    /** One owner's hold, and how its client is asked about it. */
    private record Held(String owner, SimulatedClient client, BooleanSupplier valid) {

        boolean isValid() {
            return !client.isCrashed() && valid.getAsBoolean();
        }
    }

    GuardedOwners(World world, Chance chance, long longestLeaseMillis, List<SimulatedClient> clients, int locks) {
        this.world = world;
        this.chance = chance;
        this.longestLeaseMillis = longestLeaseMillis;
        this.clients = clients;
        for (int i = 0; i < locks; i++) {
            held.add(new ArrayList<>());
        }
    }

    // --- what they do ---

    /** One of them wants a lock. */
    void next() {
        SimulatedClient client = clients.get(chance.below(clients.size()));
        int lock = chance.below(held.size());
        world.after(0, client, () -> {
            asked++;
            open++;
            if (chance.onceIn(2)) {
                acquire(client, lock, Duration.ofMillis(waitMillis()));
            } else {
                lock(client, lock, 1 + chance.below(THREADS));
            }
        });
    }

    /** One of a client's wants a lock, and asks the server at once, whether others wait or not. */
    void tryNow(SimulatedClient client) {
        int lock = chance.below(held.size());
        world.after(0, client, () -> {
            asked++;
            open++;
            acquire(client, lock, Duration.ZERO);
        });
    }

    private long waitMillis() {
        return chance.onceIn(4) ? 0 : chance.below(LONGEST_WAIT_MILLIS);
    }

    private long leaseMillis() {
        return chance.between(longestLeaseMillis / 4, longestLeaseMillis);
    }

    private long keepNanos() {
        return chance.below((chance.onceIn(3) ? 12_000 : chance.onceIn(2) ? 2_000 : 100) * MILLI);
    }

    // --- with handles ---

    private void acquire(SimulatedClient client, int lock, Duration wait) {
        RLock of = client.lock(lock);
        CompletableFuture<Optional<LockHold>> call = (chance.onceIn(3)
                        ? of.tryAcquireAsync(wait, Duration.ofMillis(leaseMillis()))
                        : of.tryAcquireAsync(wait))
                .toCompletableFuture();
        call.whenComplete((hold, failure) -> {
            open--;
            if (failure == null && hold.isPresent()) {
                keep(client, lock, hold.get());
            }
        });
    }

    private void keep(SimulatedClient client, int lock, LockHold hold) {
        granted++;
        hold.onLost(loss -> lost++);
        handedOut(lock, new Held(hold.owner(), client, () -> isAlive(hold.state())));
        if (chance.onceIn(5)) {
            world.after(chance.below(1_000 * MILLI), client, () -> hold.extendAsync(Duration.ofMillis(leaseMillis())));
        }
        world.after(returning ? 0 : keepNanos(), client, hold::releaseAsync);
    }

    private static boolean isAlive(HoldState state) {
        return state == HoldState.HELD || state == HoldState.UNCERTAIN;
    }

    // --- as threads ---

    private void lock(SimulatedClient client, int lock, long thread) {
        client.lock(lock)
                .tryLockAsync(waitMillis(), chance.onceIn(3) ? leaseMillis() : -1, TimeUnit.MILLISECONDS, thread)
                .whenComplete((got, failure) -> {
                    open--;
                    if (failure == null && got) {
                        granted++;
                        keep(client, lock, thread);
                    }
                });
    }

    private void keep(SimulatedClient client, int lock, long thread) {
        RLock of = client.lock(lock);
        handedOut(lock, new Held(client.name + ", thread " + thread, client, () -> of.isHeldByThread(thread)));
        world.after(returning ? 0 : keepNanos(), client, () -> unlock(client, lock, thread));
    }

    private void unlock(SimulatedClient client, int lock, long thread) {
        client.lock(lock).unlockAsync(thread).exceptionally(failure -> null);
    }

    // --- what must hold ---

    private void handedOut(int lock, Held hold) {
        List<Held> present = held.get(lock);
        present.removeIf(earlier -> earlier.owner.equals(hold.owner));
        present.add(hold);
    }

    /** Never do two owners hold one lock. */
    void exclude() {
        for (int lock = 0; lock < held.size(); lock++) {
            @Nullable Held first = null;
            for (Iterator<Held> all = held.get(lock).iterator(); all.hasNext(); ) {
                Held each = all.next();
                if (!each.isValid()) {
                    all.remove();
                } else if (first == null) {
                    first = each;
                } else {
                    world.fail("ME", "lock " + lock + ": " + first.owner + " and " + each.owner + " hold it");
                }
            }
        }
    }

    // --- the tail ---

    /** From now on a lock is given back as soon as it is granted, and what is held is given back too. */
    void giveBack() {
        returning = true;
    }

    /** With everything in order, and what was held given back, every client is granted every lock in its turn. */
    void askOnceMore() {
        for (SimulatedClient client : clients) {
            for (int i = 0; i < held.size(); i++) {
                int lock = i;
                world.after(0, client, () -> {
                    askedLast++;
                    client.lock(lock).tryAcquireAsync(Duration.ofSeconds(8)).whenComplete((hold, failure) -> {
                        if (failure == null && hold.isPresent()) {
                            grantedLast++;
                            hold.get().releaseAsync();
                        } else {
                            world.fail(
                                    "LV",
                                    client.name + ": is not granted lock " + lock + " in the end: "
                                            + (failure == null ? "refused" : failure));
                        }
                    });
                });
            }
        }
    }

    void allEnded() {
        if (open > 0) {
            world.fail("LV", open + " calls have not ended");
        }
        if (grantedLast < askedLast || askedLast == 0) {
            world.fail("LV", grantedLast + " of " + askedLast + " locks were granted in the end");
        }
    }

    // --- for the tally ---

    int asked() {
        return asked;
    }

    int granted() {
        return granted;
    }

    int lost() {
        return lost;
    }
}
