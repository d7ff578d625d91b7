package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Owners in several clients that want a few locks, keep them for a while and give them back; and the look at all of them
 * after each event: never do two hold one lock, by the word of their clients, but readers. With the family, they want each name as
 * one of several kinds.
 */
final class GuardedOwners {

    private static final long MILLI = 1_000_000;
    private static final long LONGEST_WAIT_MILLIS = 9_000;
    /** How long a call waits in the end. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    /** The same with queues: a promoted replica may bring back places whose calls have left, and each costs a claim window. */
    private static final Duration PATIENCE_WITH_QUEUES = Duration.ofSeconds(24);

    private static final int THREADS = 3;

    private final World world;
    private final Chance chance;
    private final long longestLeaseMillis;
    private final List<SimulatedClient> clients;
    private final List<String> locks;
    private final boolean family;
    /** As what the next owner wants a name. */
    private final Chance wishes;
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
    private record Held(GuardedWish as, String owner, SimulatedClient client, BooleanSupplier valid) {

        boolean isValid() {
            return !client.isCrashed() && valid.getAsBoolean();
        }

        @Override
        public String toString() {
            return owner + " as " + as;
        }
    }

    GuardedOwners(
            World world,
            Chance chance,
            long longestLeaseMillis,
            List<SimulatedClient> clients,
            List<String> locks,
            boolean family) {
        this.world = world;
        this.chance = chance;
        this.longestLeaseMillis = longestLeaseMillis;
        this.clients = clients;
        this.locks = locks;
        this.family = family;
        this.wishes = new Chance(world.seed, 4);
        locks.forEach(name -> held.add(new ArrayList<>()));
    }

    // --- what they do ---

    /** One of them wants a lock. */
    void next() {
        SimulatedClient client = clients.get(chance.below(clients.size()));
        int lock = chance.below(held.size());
        world.after(0, client, () -> {
            asked++;
            open++;
            if (family || chance.onceIn(2)) {
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
        GuardedWish as = wish();
        Duration lease = chance.onceIn(3) ? Duration.ofMillis(leaseMillis()) : Duration.ZERO;
        as.ask(client.api(), locks.get(lock), wait, lease).whenComplete((hold, failure) -> {
            open--;
            if (failure == null && hold.isPresent()) {
                keep(client, lock, as, hold.get());
            }
        });
    }

    private GuardedWish wish() {
        return family ? GuardedWish.values()[wishes.below(GuardedWish.values().length)] : GuardedWish.PLAIN;
    }

    private void keep(SimulatedClient client, int lock, GuardedWish as, LockHold hold) {
        granted++;
        hold.onLost(loss -> lost++);
        handedOut(lock, new Held(as, hold.owner(), client, () -> isAlive(hold.state())));
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
        handedOut(
                lock,
                new Held(
                        GuardedWish.PLAIN,
                        client.name + ", thread " + thread,
                        client,
                        () -> of.isHeldByThread(thread)));
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

    /** Never do two owners hold one lock, but readers; nor two a semaphore of one permit. */
    void exclude() {
        for (int lock = 0; lock < held.size(); lock++) {
            List<Held> present = held.get(lock);
            present.removeIf(each -> !each.isValid());
            for (int i = 1; i < present.size(); i++) {
                for (int j = 0; j < i; j++) {
                    if (!present.get(i).as.isBeside(present.get(j).as)) {
                        world.fail(
                                "ME", "lock " + lock + ": " + present.get(j) + " and " + present.get(i) + " hold it");
                    }
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
            for (String lock : locks) {
                for (GuardedWish as : family ? List.of(GuardedWish.values()) : List.of(GuardedWish.PLAIN)) {
                    world.after(0, client, () -> askOnceMore(client, lock, as));
                }
            }
        }
    }

    private void askOnceMore(SimulatedClient client, String lock, GuardedWish as) {
        askedLast++;
        as.ask(client.api(), lock, family ? PATIENCE_WITH_QUEUES : PATIENCE, Duration.ZERO)
                .whenComplete((hold, failure) -> {
                    if (failure == null && hold.isPresent()) {
                        grantedLast++;
                        hold.get().releaseAsync();
                    } else {
                        world.fail(
                                "LV",
                                client.name + ": is not granted lock " + lock + " as " + as + " in the end: "
                                        + (failure == null ? "refused" : failure));
                    }
                });
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
