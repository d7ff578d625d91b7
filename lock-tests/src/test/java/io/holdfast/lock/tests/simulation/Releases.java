package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockNotHeldException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How owners give locks back. */
final class Releases {

    private static final long STRANGER_ID = 2_000_000;
    private static final long MILLI = 1_000_000;
    private static final long SOONEST_REPETITION_NANOS = 9 * MILLI;

    private final Calls calls;
    private final Lots lots;
    private final Chance chance;
    private Consumer<Claim> onFailure = claim -> {};

    Releases(Calls calls, Lots lots) {
        this.calls = calls;
        this.lots = lots;
        this.chance = lots.chance;
    }

    /** Says what an owner does whose last release has failed, and goes on without it. */
    void onFailure(Consumer<Claim> then) {
        onFailure = then;
    }

    /** Most owners give back by themselves; the others wait for the lot, or for their lease to end. */
    void soon(Claim claim) {
        long keeps = lots.keepsNanos();
        if (keeps >= 0) {
            calls.world.after(keeps, claim.client, () -> release(claim));
        }
    }

    /** Gives one level of a hold back. */
    void release(@Nullable Claim claim) {
        if (claim == null || claim.ended || !claim.client.isInUse()) {
            return;
        }
        SimulatedClient client = claim.client;
        LockHold hold = claim.hold;
        Call call = calls.begin(client, claim.lock, claim.owner, "releases " + claim, -1);
        boolean wasValid = claim.isValid();
        boolean first = !claim.releasing;
        claim.releasing |= hold != null;
        if (first) {
            // Giving a handle back a second time does nothing, whatever became of the first.
            calls.referee.chronicle.releases(call, claim);
        }
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
            calls.over(call, failure);
            if (failure == null) {
                if (wasValid && first && call.runningNanos() < SOONEST_REPETITION_NANOS) {
                    calls.referee.releasedAtOnce(claim);
                }
                released(claim, call);
            } else {
                if (wasValid) {
                    calls.referee.releaseFailed(call, claim, failure);
                }
                notReleased(claim);
            }
        });
    }

    /** The thread that took a lock by a blocking call, if it has nothing else to do. */
    private static @Nullable SimulatedThread idleThread(Claim claim) {
        for (int i = 0; i < BlockingOwners.THREADS; i++) {
            SimulatedThread thread = claim.client.thread(i);
            if (thread.getId() == claim.threadId && !thread.isBusy()) {
                return thread;
            }
        }
        return null;
    }

    private void unlock(Claim claim, Call call) {
        Boolean done = calls.run(call, false, () -> {
            claim.client.lock(claim.lock).unlock();
            return true;
        });
        if (done != null) {
            released(claim, call);
        } else if (!claim.client.isCrashed()) {
            notReleased(claim);
        }
    }

    private void released(Claim claim, Call call) {
        calls.referee.chronicle.done(call);
        claim.popLevel(call);
        if (claim.hold != null || --claim.count == 0) {
            calls.referee.ended(claim);
        } else {
            calls.referee.compareCounts(claim, call);
        }
    }

    private void notReleased(Claim claim) {
        int count = claim.hold != null ? 0 : claim.client.heldTimes(claim.lock, claim.threadId);
        claim.count = count;
        claim.certain = false;
        if (count == 0) {
            calls.referee.ended(claim);
            onFailure.accept(claim);
        }
    }

    /** Somebody gives back what he never had. */
    void unlockWithoutHold(SimulatedClient client, int lock) {
        Call call =
                calls.begin(client, lock, client.api().id() + ':' + STRANGER_ID, "unlocks what it does not hold", -1);
        calls.referee.chronicle.releases(call, null);
        client.lock(lock).unlockAsync(STRANGER_ID).whenComplete((nothing, failure) -> {
            calls.over(call, failure);
            if (failure == null) {
                calls.referee.chronicle.done(call);
            }
            if (!(failure instanceof LockNotHeldException) && client.isInUse()) {
                calls.world.fail("ERR", call + ": " + failure + " (expected: that it is not held)");
            }
        });
    }
}
