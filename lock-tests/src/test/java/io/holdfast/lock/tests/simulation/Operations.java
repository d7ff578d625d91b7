package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockFailure;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.simulation.SimulatedThread.AbandonedException;
import io.holdfast.lock.tests.simulation.SimulatedThread.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What owners do: one operation after the other, drawn by lot. */
final class Operations {

    static final long LONGEST_LEASE_MILLIS = 5_000;
    private static final long WATCHDOG = -1;
    private static final int THREADS = 2;
    /** Beyond the ids of real threads, which make the calls that block. */
    private static final long FIRST_THREAD_ID = 1_000_001;

    private static final long STRANGER_ID = 2_000_000;
    private static final long MILLI = 1_000_000;
    private static final long SOONEST_REPETITION_NANOS = 9 * MILLI;
    private static final int BLOCKING_THREADS = 2;

    private final World world;
    private final Referee referee;
    private final Chance chance;
    private final long commandNanos;
    private final long outageNanos;
    int done;

    Operations(World world, Referee referee, Chance chance, long commandNanos, long outageNanos) {
        this.world = world;
        this.referee = referee;
        this.chance = chance;
        this.commandNanos = commandNanos;
        this.outageNanos = outageNanos;
    }

    /** Does one thing at a client. */
    void next(SimulatedClient client) {
        done++;
        int lock = chance.below(Workload.LOCKS);
        int lot = chance.below(100);
        if (lot < 26) {
            acquireAsync(client, lock);
        } else if (lot < 46) {
            lockAsync(client, lock);
        } else if (lot < 60) {
            lockBlocking(client, lock);
        } else if (lot < 80) {
            release(anyClaim(client));
        } else if (lot < 86) {
            extend(anyClaim(client));
        } else if (lot < 91) {
            cancel();
        } else if (lot < 94) {
            ask(client, lock);
        } else if (lot < 96) {
            force(client, lock);
        } else if (lot < 98) {
            unlockWithoutHold(client, lock);
        } else {
            write(anyClaim(client));
        }
    }

    // --- taking a lock as a handle ---

    private void acquireAsync(SimulatedClient client, int lock) {
        RLock rlock = client.lock(lock);
        Duration lease = lease();
        switch (chance.below(5)) {
            case 0 -> handle(begin(client, lock, "", "acquireAsync()", Call.UNLIMITED), rlock.acquireAsync());
            case 1 ->
                handle(
                        begin(client, lock, "", "acquireAsync(" + lease + ")", Call.UNLIMITED),
                        rlock.acquireAsync(lease));
            case 2 -> {
                Duration wait = wait(client);
                optional(
                        begin(client, lock, "", "tryAcquireAsync(" + wait + ")", wait.toNanos()),
                        rlock.tryAcquireAsync(wait));
            }
            default -> {
                Duration wait = wait(client);
                optional(
                        begin(client, lock, "", "tryAcquireAsync(" + wait + ", " + lease + ")", wait.toNanos()),
                        rlock.tryAcquireAsync(wait, lease));
            }
        }
    }

    private void handle(Call call, CompletionStage<LockHold> stage) {
        when(call, stage, hold -> handedOut(call, hold));
    }

    private void optional(Call call, CompletionStage<Optional<LockHold>> stage) {
        when(call, stage, hold -> {
            if (hold.isPresent()) {
                handedOut(call, hold.get());
            } else {
                refused(call);
            }
        });
    }

    private void handedOut(Call call, LockHold hold) {
        Claim claim = referee.handedOut(call, hold);
        soonRelease(claim);
    }

    /** Most owners give back by themselves; the others wait for the lot, or for their lease to end. */
    private void soonRelease(Claim claim) {
        int lot = chance.below(10);
        if (lot < 7) {
            long held = lot < 3
                    ? chance.below(2 * MILLI)
                    : lot < 5 ? chance.below(100 * MILLI) : chance.below(3_000 * MILLI);
            world.after(held, claim.client, () -> release(claim));
        }
    }

    // --- taking a lock as a thread that has an id and no calls that block ---

    private void lockAsync(SimulatedClient client, int lock) {
        RLock rlock = client.lock(lock);
        long threadId = FIRST_THREAD_ID + chance.below(THREADS);
        long lease = chance.percent(50) ? WATCHDOG : lease().toMillis();
        switch (chance.below(5)) {
            case 0 -> threadTakes(client, lock, threadId, "lockAsync", Call.UNLIMITED, rlock.lockAsync(threadId));
            case 1 ->
                threadTakes(
                        client,
                        lock,
                        threadId,
                        "lockAsync(" + lease + " ms)",
                        Call.UNLIMITED,
                        rlock.lockAsync(lease, TimeUnit.MILLISECONDS, threadId));
            case 2 -> threadTries(client, lock, threadId, "tryLockAsync", 0, rlock.tryLockAsync(threadId));
            default -> {
                long wait = wait(client).toMillis();
                threadTries(
                        client,
                        lock,
                        threadId,
                        "tryLockAsync(" + wait + " ms, " + lease + " ms)",
                        wait * MILLI,
                        rlock.tryLockAsync(wait, lease, TimeUnit.MILLISECONDS, threadId));
            }
        }
    }

    private void threadTakes(
            SimulatedClient client, int lock, long threadId, String what, long wait, CompletionStage<Void> stage) {
        Call call = begin(client, lock, client.api().id() + ':' + threadId, what + " by thread " + threadId, wait);
        when(call, stage, nothing -> threadHas(call, threadId));
    }

    private void threadTries(
            SimulatedClient client, int lock, long threadId, String what, long wait, CompletionStage<Boolean> stage) {
        Call call = begin(client, lock, client.api().id() + ':' + threadId, what + " by thread " + threadId, wait);
        when(call, stage, got -> {
            if (got) {
                threadHas(call, threadId);
            } else {
                refused(call);
            }
        });
    }

    private void threadHas(Call call, long threadId) {
        referee.handedOut(call, threadId);
        Claim claim = referee.find(call.client, call.lock, threadId);
        if (claim != null) {
            soonRelease(claim);
        }
    }

    // --- taking a lock by a call that blocks ---

    private void lockBlocking(SimulatedClient client, int lock) {
        SimulatedThread thread = client.thread(chance.below(BLOCKING_THREADS));
        if (thread.isBusy()) {
            lockAsync(client, lock);
            return;
        }
        thread.execute(() -> lockBlocking(client, lock, thread));
    }

    private void lockBlocking(SimulatedClient client, int lock, SimulatedThread thread) {
        RLock rlock = client.lock(lock);
        Duration lease = lease();
        Duration wait = wait(client);
        boolean interruptedBefore = chance.percent(4);
        if (!interruptedBefore && chance.percent(25)) {
            interruptLater(client, thread);
        }
        switch (chance.below(8)) {
            case 0 ->
                block(client, lock, "lock()", Call.UNLIMITED, interruptedBefore, () -> {
                    rlock.lock();
                    return true;
                });
            case 1 ->
                block(client, lock, "lock(" + lease + ")", Call.UNLIMITED, interruptedBefore, () -> {
                    rlock.lock(lease.toMillis(), TimeUnit.MILLISECONDS);
                    return true;
                });
            case 2 ->
                block(client, lock, "lockInterruptibly()", Call.UNLIMITED, interruptedBefore, () -> {
                    rlock.lockInterruptibly();
                    return true;
                });
            case 3 -> block(client, lock, "tryLock()", 0, interruptedBefore, rlock::tryLock);
            case 4 ->
                block(
                        client,
                        lock,
                        "tryLock(" + wait + ")",
                        wait.toNanos(),
                        interruptedBefore,
                        () -> rlock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
            case 5 ->
                block(
                        client,
                        lock,
                        "tryLock(" + wait + ", " + lease + ")",
                        wait.toNanos(),
                        interruptedBefore,
                        () -> rlock.tryLock(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS));
            case 6 ->
                blockForHandle(
                        client,
                        lock,
                        "acquire(" + lease + ")",
                        Call.UNLIMITED,
                        interruptedBefore,
                        () -> Optional.of(rlock.acquire(lease)));
            default ->
                blockForHandle(
                        client,
                        lock,
                        "tryAcquire(" + wait + ")",
                        wait.toNanos(),
                        interruptedBefore,
                        () -> rlock.tryAcquire(wait));
        }
    }

    private interface Blocking<T> {

        T call() throws InterruptedException;
    }

    private void block(
            SimulatedClient client, int lock, String what, long wait, boolean interrupted, Blocking<Boolean> body) {
        long threadId = Thread.currentThread().getId();
        Call call = begin(client, lock, client.api().id() + ':' + threadId, what, wait);
        Boolean got = run(call, interrupted, body);
        if (got == null) {
            return;
        }
        if (got) {
            referee.handedOut(call, threadId);
            Claim claim = referee.find(client, lock, threadId);
            if (claim != null) {
                long token = tokenOfThread(client, lock);
                if (claim.token != 0 && token != 0 && claim.count > 1 && claim.token != token) {
                    world.fail("FM", claim + ": a re-entry changed the token to " + token);
                }
                claim.token = token;
                soonRelease(claim);
            }
        } else {
            refused(call);
        }
    }

    private static long tokenOfThread(SimulatedClient client, int lock) {
        try {
            return client.lock(lock).getFencingToken();
        } catch (LockLostException | LockNotHeldException alreadyOver) {
            return 0;
        }
    }

    private void blockForHandle(
            SimulatedClient client,
            int lock,
            String what,
            long wait,
            boolean interrupted,
            Blocking<Optional<LockHold>> body) {
        Call call = begin(client, lock, "", what, wait);
        Optional<LockHold> got = run(call, interrupted, body);
        if (got == null) {
            return;
        }
        if (got.isPresent()) {
            handedOut(call, got.get());
        } else {
            refused(call);
        }
    }

    /** Makes a blocking call; null if it failed, was interrupted, or the process crashed around it. */
    private <T> @Nullable T run(Call call, boolean interrupted, Blocking<T> body) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            T result = body.call();
            over(call, null);
            return result;
        } catch (AbandonedException crashed) {
            return null;
        } catch (InterruptedException ended) {
            over(call, null);
            leftOpen(call);
            return null;
        } catch (RuntimeException failure) {
            over(call, failure);
            return null;
        } finally {
            Thread.interrupted();
        }
    }

    private void interruptLater(SimulatedClient client, SimulatedThread thread) {
        world.after(chance.onceIn(2) ? chance.below(MILLI) : chance.below(500 * MILLI), client, () -> {
            Waiting waiting = thread.waiting();
            if (waiting != null && waiting.client == client) {
                if (world.isTraced()) {
                    world.note(client.name, "is interrupted");
                }
                waiting.interrupt();
            }
        });
    }

    // --- giving back ---

    private @Nullable Claim anyClaim(SimulatedClient client) {
        List<Claim> all = referee.allClaims();
        all.removeIf(claim -> claim.client != client);
        return all.isEmpty() ? null : all.get(chance.below(all.size()));
    }

    /** Gives one level of a hold back. */
    void release(@Nullable Claim claim) {
        if (claim == null || claim.ended || !claim.client.isInUse()) {
            return;
        }
        SimulatedClient client = claim.client;
        LockHold hold = claim.hold;
        Call call = begin(client, claim.lock, claim.owner, "releases " + claim, -1);
        // Before it, a step that nobody waits for any more may have its time.
        call.boundNanos = (hold == null ? 2 : 1) * outageNanos + commandNanos;
        boolean wasValid = claim.isValid();
        boolean first = !claim.releasing;
        claim.releasing |= hold != null;
        SimulatedThread thread = idleThread(claim);
        if (thread != null && chance.percent(60)) {
            thread.execute(() -> unlock(claim, call));
            return;
        }
        CompletableFuture<Void> future = hold != null
                ? hold.releaseAsync().toCompletableFuture()
                : client.lock(claim.lock).unlockAsync(claim.threadId).toCompletableFuture();
        call.future = null;
        future.whenComplete((nothing, failure) -> {
            over(call, failure);
            if (failure == null) {
                if (wasValid && first && call.runningNanos() < SOONEST_REPETITION_NANOS) {
                    referee.releasedAtOnce(claim);
                }
                released(claim);
            } else {
                if (wasValid) {
                    referee.releaseFailed(claim, failure);
                }
                notReleased(claim);
            }
        });
    }

    /** The thread that took a lock by a blocking call, if it has nothing else to do. */
    private static @Nullable SimulatedThread idleThread(Claim claim) {
        for (int i = 0; i < BLOCKING_THREADS; i++) {
            SimulatedThread thread = claim.client.thread(i);
            if (thread.getId() == claim.threadId && !thread.isBusy()) {
                return thread;
            }
        }
        return null;
    }

    private void unlock(Claim claim, Call call) {
        Boolean done = run(call, false, () -> {
            claim.client.lock(claim.lock).unlock();
            return true;
        });
        if (done != null) {
            released(claim);
        } else if (!claim.client.isCrashed()) {
            notReleased(claim);
        }
    }

    private void released(Claim claim) {
        if (claim.hold != null || --claim.count == 0) {
            referee.ended(claim);
        } else {
            referee.compareCounts(claim);
        }
    }

    private void notReleased(Claim claim) {
        int count = claim.hold != null ? 0 : claim.client.heldTimes(claim.lock, claim.threadId);
        claim.count = count;
        claim.certain = false;
        if (count == 0) {
            referee.ended(claim);
        }
    }

    private void unlockWithoutHold(SimulatedClient client, int lock) {
        Call call = begin(client, lock, client.api().id() + ':' + STRANGER_ID, "unlocks what it does not hold", -1);
        client.lock(lock).unlockAsync(STRANGER_ID).whenComplete((nothing, failure) -> {
            over(call, failure);
            if (!(failure instanceof LockNotHeldException) && client.isInUse()) {
                world.fail("ERR", call + ": " + failure + " (expected: that it is not held)");
            }
        });
    }

    // --- what else owners do ---

    private void extend(@Nullable Claim claim) {
        LockHold hold = claim == null ? null : claim.hold;
        if (claim == null || hold == null) {
            return;
        }
        Duration lease = lease();
        Call call = begin(claim.client, claim.lock, claim.owner, "extends by " + lease + " " + claim, -1);
        SimulatedThread thread = claim.client.thread(chance.below(BLOCKING_THREADS));
        if (chance.percent(30) && !thread.isBusy()) {
            thread.execute(() -> run(call, false, () -> {
                hold.ensure(lease);
                return true;
            }));
        } else {
            when(call, hold.extendAsync(lease), nothing -> {});
        }
    }

    private void cancel() {
        List<Call> open = referee.ending.open();
        if (open.isEmpty()) {
            return;
        }
        Call call = open.get(chance.below(open.size()));
        CompletableFuture<?> future = call.future;
        if (future != null && call.client.isRunning() && call.wantsLock()) {
            if (world.isTraced()) {
                world.note(call.client.name, "cancels " + call.what);
            }
            call.cancelled = true;
            future.cancel(false);
        }
    }

    private void ask(SimulatedClient client, int lock) {
        Call call = begin(client, lock, "", "asks", -1);
        switch (chance.below(3)) {
            case 0 -> when(call, client.lock(lock).isLockedAsync(), locked -> {});
            case 1 -> when(call, client.lock(lock).remainTimeToLiveAsync(), left -> {});
            default -> when(call, client.api().inspectAsync(client.lock(lock).getName()), info -> {});
        }
    }

    private void force(SimulatedClient client, int lock) {
        Call call = begin(client, lock, "", "forceUnlock", -1);
        when(call, client.lock(lock).forceUnlockAsync(), freed -> {});
    }

    private void write(@Nullable Claim claim) {
        LockHold hold = claim == null ? null : claim.hold;
        if (claim == null || hold == null || claim.token == 0 || claim.expired) {
            return;
        }
        boolean valid = world.nanos() < claim.validUntilNanos && hold.state() == HoldState.HELD;
        referee.fencing.write(claim.lock, claim.owner, claim.token, valid && !claim.isExcused());
    }

    // --- bookkeeping ---

    private Call begin(SimulatedClient client, int lock, String owner, String what, long waitNanos) {
        long bound = waitNanos == Call.UNLIMITED ? Call.UNLIMITED : Math.max(0, waitNanos) + commandNanos;
        for (Call other : referee.ending.open()) {
            // Operations on one hold run one after the other.
            if (bound != Call.UNLIMITED
                    && other.client == client
                    && other.lock == lock
                    && other.owner.equals(owner)
                    && !owner.isEmpty()) {
                bound = other.boundNanos == Call.UNLIMITED ? bound + outageNanos : bound + other.boundNanos;
            }
        }
        if (bound != Call.UNLIMITED && !owner.isEmpty() && referee.ofOwner(lock, owner) != null) {
            // A step of a hold waits for the one before it, also when nobody waits for that one any more.
            bound += outageNanos;
        }
        Call call = new Call(client, lock, owner, what + " lock " + lock, waitNanos, bound);
        call.alone = referee.ending.open().stream()
                        .noneMatch(other -> other.client == client && other.lock == lock && other.wantsLock())
                && !referee.believesHeld(call);
        referee.ending.began(call);
        if (world.isTraced()) {
            world.note(client.name, "calls: " + call.what);
        }
        return call;
    }

    private <T> void when(Call call, CompletionStage<T> stage, Consumer<T> then) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        call.future = future;
        future.whenComplete((value, failure) -> {
            over(call, failure);
            if (failure == null) {
                guarded(() -> then.accept(value));
            }
        });
    }

    /** A future would keep to itself what goes wrong in here. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error bug) {
            world.fail(bug instanceof Violation broken ? broken.checker : "ERR", "within a callback: " + bug);
        }
    }

    private void refused(Call call) {
        referee.refused(call);
    }

    private void over(Call call, @Nullable Throwable failure) {
        if (call.over || call.client.isCrashed()) {
            return;
        }
        referee.ending.ended(call, call.runningNanos());
        if (world.isTraced()) {
            world.note(call.client.name, "ended: " + call.what + (failure == null ? "" : ": " + failure));
        }
        boolean typed = failure == null
                || failure instanceof LockFailure
                || (failure instanceof CancellationException && call.cancelled);
        if (!typed) {
            world.fail("ERR", call + ": ended with " + failure);
        }
        if (failure instanceof LockOutcomeUnknownException || failure instanceof CancellationException) {
            leftOpen(call);
        }
    }

    /** What became of a call is not known: the owner's count may be one more than he was told, until his next step. */
    private void leftOpen(Call call) {
        Claim claim = call.owner.isEmpty() ? null : referee.ofOwner(call.lock, call.owner);
        if (claim != null) {
            claim.certain = false;
        }
    }

    // --- lots ---

    private Duration lease() {
        int lot = chance.below(4);
        return Duration.ofMillis(
                lot == 0
                        ? chance.between(10, 60)
                        : lot == 1 ? chance.between(60, 500) : chance.between(500, LONGEST_LEASE_MILLIS));
    }

    private Duration wait(SimulatedClient client) {
        int lot = chance.below(4);
        return Duration.ofMillis(lot == 0 ? 0 : lot == 1 ? chance.below(50) : chance.below(4_000));
    }
}
