package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.simulation.Calls.Blocking;
import io.holdfast.lock.tests.simulation.SimulatedThread.Waiting;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Owners that take a lock by calls that block, on threads of their client. */
final class BlockingOwners {

    static final int THREADS = 2;

    private static final long MILLI = 1_000_000;

    private final Calls calls;
    private final Lots lots;
    private final Chance chance;
    private final Releases releases;
    private final ThreadOwners threads;
    private final HandleOwners handles;

    BlockingOwners(Calls calls, Lots lots, Releases releases, ThreadOwners threads, HandleOwners handles) {
        this.calls = calls;
        this.lots = lots;
        this.chance = lots.chance;
        this.releases = releases;
        this.threads = threads;
        this.handles = handles;
    }

    /** Makes a call on one of the client's threads, or as a thread that does not block if that one is busy. */
    void lockBlocking(SimulatedClient client, int lock) {
        SimulatedThread thread = client.thread(chance.below(THREADS));
        if (thread.isBusy()) {
            threads.lockAsync(client, lock);
            return;
        }
        thread.execute(() -> lockBlocking(client, lock, thread));
    }

    private void lockBlocking(SimulatedClient client, int lock, SimulatedThread thread) {
        RLock rlock = client.lock(lock);
        Duration lease = lots.lease();
        Duration wait = lots.patience();
        boolean interruptedBefore = chance.percent(4);
        if (!interruptedBefore && chance.percent(25)) {
            interruptLater(client, thread);
        }
        switch (chance.below(8)) {
            case 0 ->
                block(client, lock, "lock()", Call.UNLIMITED, Call.WATCHDOG, interruptedBefore, () -> {
                    rlock.lock();
                    return true;
                });
            case 1 ->
                block(client, lock, "lock(" + lease + ")", Call.UNLIMITED, lease.toMillis(), interruptedBefore, () -> {
                    rlock.lock(lease.toMillis(), TimeUnit.MILLISECONDS);
                    return true;
                });
            case 2 ->
                block(client, lock, "lockInterruptibly()", Call.UNLIMITED, Call.WATCHDOG, interruptedBefore, () -> {
                    rlock.lockInterruptibly();
                    return true;
                });
            case 3 -> block(client, lock, "tryLock()", 0, Call.WATCHDOG, interruptedBefore, rlock::tryLock);
            case 4 ->
                block(
                        client,
                        lock,
                        "tryLock(" + wait + ")",
                        wait.toNanos(),
                        Call.WATCHDOG,
                        interruptedBefore,
                        () -> rlock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
            case 5 ->
                block(
                        client,
                        lock,
                        "tryLock(" + wait + ", " + lease + ")",
                        wait.toNanos(),
                        lease.toMillis(),
                        interruptedBefore,
                        () -> rlock.tryLock(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS));
            case 6 ->
                blockForHandle(
                        client,
                        lock,
                        "acquire(" + lease + ")",
                        Call.UNLIMITED,
                        interruptedBefore,
                        () -> Optional.of(rlock.withLease(lease).acquire()));
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

    private void block(
            SimulatedClient client,
            int lock,
            String what,
            long wait,
            long lease,
            boolean interrupted,
            Blocking<Boolean> body) {
        long threadId = Thread.currentThread().getId();
        Call call = calls.begin(client, lock, client.api().id() + ':' + threadId, what, wait);
        call.asksFor(lease);
        Boolean got = calls.run(call, interrupted, body);
        if (got == null) {
            return;
        }
        if (got) {
            calls.referee.handedOut(call, threadId);
            Claim claim = calls.referee.find(client, lock, threadId);
            if (claim != null) {
                long token = tokenOfThread(client, lock);
                if (claim.token != 0 && token != 0 && claim.count > 1 && claim.token != token) {
                    calls.world.fail("FM", claim + ": a re-entry changed the token to " + token);
                }
                claim.token = token;
                claim.pushLevel(call);
                calls.referee.chronicle.token(call, token);
                releases.soon(claim);
            }
        } else {
            calls.refused(call);
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
        Call call = calls.begin(client, lock, "", what, wait);
        Optional<LockHold> got = calls.run(call, interrupted, body);
        if (got == null) {
            return;
        }
        if (got.isPresent()) {
            handles.handedOut(call, got.get());
        } else {
            calls.refused(call);
        }
    }

    private void interruptLater(SimulatedClient client, SimulatedThread thread) {
        calls.world.after(chance.onceIn(2) ? chance.below(MILLI) : chance.below(500 * MILLI), client, () -> {
            Waiting waiting = thread.waiting();
            if (waiting != null && waiting.client == client) {
                if (calls.world.isTraced()) {
                    calls.world.note(client.name, "is interrupted");
                }
                waiting.interrupt();
            }
        });
    }
}
