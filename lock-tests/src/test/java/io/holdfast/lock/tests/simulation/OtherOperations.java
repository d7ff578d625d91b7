package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What owners do beside taking locks and giving them back. */
final class OtherOperations {

    private final Calls calls;
    private final Lots lots;
    private final Chance chance;

    OtherOperations(Calls calls, Lots lots) {
        this.calls = calls;
        this.lots = lots;
        this.chance = lots.chance;
    }

    void extend(@Nullable Claim claim) {
        LockHold hold = claim == null ? null : claim.hold;
        if (claim == null || hold == null) {
            return;
        }
        Duration drawn = lots.lease();
        // On the wire it is to be told from what the watchdog asks for.
        boolean ambiguous = drawn.equals(claim.client.options.lockOptions().watchdogLease());
        Duration lease = ambiguous ? drawn.plusMillis(1) : drawn;
        Call call = calls.begin(claim.client, claim.lock, claim.owner, "extends by " + lease + " " + claim, -1);
        call.asksFor(lease.toMillis());
        calls.referee.chronicle.extendsHold(call, claim);
        SimulatedThread thread = claim.client.thread(chance.below(BlockingOwners.THREADS));
        if (chance.percent(30) && !thread.isBusy()) {
            thread.execute(() -> {
                Boolean done = calls.run(call, false, () -> {
                    hold.ensure(lease);
                    return true;
                });
                if (done != null) {
                    calls.referee.chronicle.extended(call);
                }
            });
        } else {
            calls.when(call, hold.extendAsync(lease), nothing -> calls.referee.chronicle.extended(call));
        }
    }

    void cancel() {
        List<Call> open = calls.referee.ending.open();
        if (open.isEmpty()) {
            return;
        }
        Call call = open.get(chance.below(open.size()));
        CompletableFuture<?> future = call.future;
        if (future != null && call.client.isRunning() && call.wantsLock()) {
            if (calls.world.isTraced()) {
                calls.world.note(call.client.name, "cancels " + call.what);
            }
            call.cancelled = true;
            future.cancel(false);
        }
    }

    void ask(SimulatedClient client, int lock) {
        Call call = calls.begin(client, lock, "", "asks", -1);
        switch (chance.below(3)) {
            case 0 -> calls.when(call, client.lock(lock).isLockedAsync(), locked -> {});
            case 1 -> calls.when(call, client.lock(lock).remainTimeToLiveAsync(), left -> {});
            default ->
                calls.when(call, client.api().inspectAsync(client.lock(lock).getName()), info -> {});
        }
    }

    void force(SimulatedClient client, int lock) {
        Call call = calls.begin(client, lock, "", "forceUnlock", -1);
        Chronicle.Force force = calls.referee.chronicle.forces(client, lock);
        calls.when(call, client.lock(lock).forceUnlockAsync(), freed -> force.answered());
    }

    /** Somebody asks a client that is being closed, or is closed: he is told so. */
    void askTooLate(SimulatedClient client, int lock) {
        client.lock(lock).tryAcquireAsync(Duration.ZERO).whenComplete((hold, failure) -> {
            if (!(failure instanceof LockClientClosedException) && !client.isCrashed()) {
                calls.world.fail(
                        "ERR",
                        client.name + ": is closed, but answers: " + (failure == null ? hold : failure)
                                + " (expected: that it is closed)");
            }
        });
    }

    void write(@Nullable Claim claim) {
        LockHold hold = claim == null ? null : claim.hold;
        if (claim == null || hold == null || claim.token == 0 || claim.expired) {
            return;
        }
        boolean valid = calls.world.nanos() < claim.validUntilNanos && hold.state() == HoldState.HELD;
        calls.referee.fencing.write(claim.lock, claim.owner, claim.token, valid && !claim.isExcused());
    }
}
