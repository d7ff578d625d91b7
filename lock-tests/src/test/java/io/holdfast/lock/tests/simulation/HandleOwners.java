package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Owners that take a lock as a handle. */
final class HandleOwners {

    private final Calls calls;
    private final Lots lots;
    private final Chance chance;
    private final Releases releases;

    HandleOwners(Calls calls, Lots lots, Releases releases) {
        this.calls = calls;
        this.lots = lots;
        this.chance = lots.chance;
        this.releases = releases;
    }

    /** Asks for a hold of its own. */
    void acquireAsync(SimulatedClient client, int lock) {
        RLock rlock = client.lock(lock);
        Duration lease = lots.lease();
        switch (chance.below(5)) {
            case 0 -> handle(calls.begin(client, lock, "", "acquireAsync()", Call.UNLIMITED), rlock.acquireAsync());
            case 1 ->
                handle(
                        calls.begin(client, lock, "", "acquireAsync(" + lease + ")", Call.UNLIMITED),
                        rlock.withLease(lease).acquireAsync());
            case 2 -> {
                Duration wait = lots.patience();
                optional(
                        calls.begin(client, lock, "", "tryAcquireAsync(" + wait + ")", wait.toNanos()),
                        rlock.tryAcquireAsync(wait));
            }
            default -> {
                Duration wait = lots.patience();
                optional(
                        calls.begin(client, lock, "", "tryAcquireAsync(" + wait + ", " + lease + ")", wait.toNanos()),
                        rlock.tryAcquireAsync(wait, lease));
            }
        }
    }

    private void handle(Call call, CompletionStage<LockHold> stage) {
        calls.when(call, stage, hold -> handedOut(call, hold));
    }

    private void optional(Call call, CompletionStage<Optional<LockHold>> stage) {
        calls.when(call, stage, hold -> {
            if (hold.isPresent()) {
                handedOut(call, hold.get());
            } else {
                calls.refused(call);
            }
        });
    }

    void handedOut(Call call, LockHold hold) {
        Claim claim = calls.referee.handedOut(call, hold);
        releases.soon(claim);
    }
}
