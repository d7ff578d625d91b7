package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.RLock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Owners that take a lock as a thread with an id, by calls that do not block. */
final class ThreadOwners {

    private static final int THREADS = 2;
    /** Beyond the ids of real threads, which make the calls that block. */
    private static final long FIRST_THREAD_ID = 1_000_001;

    private static final long MILLI = 1_000_000;

    private final Calls calls;
    private final Lots lots;
    private final Chance chance;
    private final Releases releases;

    ThreadOwners(Calls calls, Lots lots, Releases releases) {
        this.calls = calls;
        this.lots = lots;
        this.chance = lots.chance;
        this.releases = releases;
    }

    /** Asks for the lock in the name of one of a few threads. */
    void lockAsync(SimulatedClient client, int lock) {
        lockAsync(client, lock, FIRST_THREAD_ID + chance.below(THREADS));
    }

    /** A thread whose release has failed, and may still be on its way, asks for the lock again. */
    void lockAgain(Claim claim) {
        if (claim.hold == null && claim.client.isInUse() && lots.insists()) {
            lockAsync(claim.client, claim.lock, claim.threadId);
        }
    }

    private void lockAsync(SimulatedClient client, int lock, long threadId) {
        RLock rlock = client.lock(lock);
        long lease = chance.percent(50) ? Call.WATCHDOG : lots.lease().toMillis();
        switch (chance.below(5)) {
            case 0 ->
                threadTakes(
                        client, lock, threadId, "lockAsync", Call.UNLIMITED, Call.WATCHDOG, rlock.lockAsync(threadId));
            case 1 ->
                threadTakes(
                        client,
                        lock,
                        threadId,
                        "lockAsync(" + lease + " ms)",
                        Call.UNLIMITED,
                        lease,
                        rlock.lockAsync(lease, TimeUnit.MILLISECONDS, threadId));
            case 2 ->
                threadTries(client, lock, threadId, "tryLockAsync", 0, Call.WATCHDOG, rlock.tryLockAsync(threadId));
            default -> {
                long wait = lots.patience().toMillis();
                threadTries(
                        client,
                        lock,
                        threadId,
                        "tryLockAsync(" + wait + " ms, " + lease + " ms)",
                        wait * MILLI,
                        lease,
                        rlock.tryLockAsync(wait, lease, TimeUnit.MILLISECONDS, threadId));
            }
        }
    }

    private void threadTakes(
            SimulatedClient client,
            int lock,
            long threadId,
            String what,
            long wait,
            long lease,
            CompletionStage<Void> stage) {
        Call call =
                calls.begin(client, lock, client.api().id() + ':' + threadId, what + " by thread " + threadId, wait);
        call.asksFor(lease);
        calls.when(call, stage, nothing -> threadHas(call, threadId));
    }

    private void threadTries(
            SimulatedClient client,
            int lock,
            long threadId,
            String what,
            long wait,
            long lease,
            CompletionStage<Boolean> stage) {
        Call call =
                calls.begin(client, lock, client.api().id() + ':' + threadId, what + " by thread " + threadId, wait);
        call.asksFor(lease);
        calls.when(call, stage, got -> {
            if (got) {
                threadHas(call, threadId);
            } else {
                calls.refused(call);
            }
        });
    }

    private void threadHas(Call call, long threadId) {
        calls.referee.handedOut(call, threadId);
        Claim claim = calls.referee.find(call.client, call.lock, threadId);
        if (claim != null) {
            claim.pushLevel(call);
            releases.soon(claim);
        }
    }
}
