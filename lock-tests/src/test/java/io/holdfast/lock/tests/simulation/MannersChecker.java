package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockFailure;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.luaj.vm2.LuaString;

/**
 * LV and ERR, for clients that behave: with everything in order no outcome is unknown; what passes is waited for, and what
 * does not is told at once; nobody asks without a reason, waits for himself, or keeps the lock among his own.
 */
final class MannersChecker {

    private static final long MILLI = 1_000_000;

    /** The longest pause after a fault, twice, for clocks drift and timers are late. */
    private static final long LAST_PAUSE_NANOS = 2_200 * MILLI;

    private static final long SLACK_NANOS = 1_000 * MILLI;
    private static final int MOST_HOPELESS_TRIES = 2;
    private static final int MOST_LOOKS_AT_OWN_HOLD = 15;
    /** Hand-overs go on for 50 ms; the clock drifts, and the last one may be a little late. */
    private static final long LONGEST_TURN_NANOS = 80 * MILLI;

    private static final int MOST_HAND_OVERS = 32;
    /** The same where clients take turns, if the server knows of no other client, and from when it has told of one. */
    private static final long LONGEST_TAKEN_NANOS = 560 * MILLI;

    private static final long LONGEST_AMONG_OTHERS_NANOS = 2 * MILLI;
    /** Each of 100 operations and their ends may be a reason to ask, in the worst second. */
    private static final int MOST_ASKED_IN_A_SECOND = 150;

    private final World world;
    private final Complaints complaints;
    private final List<LuaString> keys;
    private final long outageNanos;
    private final boolean quorum;
    private final long longestLeaseNanos;
    private final LongSupplier disturbedUntilNanos;
    private Predicate<Claim> isKept = claim -> false;

    MannersChecker(
            World world,
            Complaints complaints,
            List<LuaString> keys,
            long outageNanos,
            boolean quorum,
            long longestLeaseNanos,
            LongSupplier disturbedUntilNanos) {
        this.world = world;
        this.complaints = complaints;
        this.keys = keys;
        this.outageNanos = outageNanos;
        this.quorum = quorum;
        this.longestLeaseNanos = longestLeaseNanos;
        this.disturbedUntilNanos = disturbedUntilNanos;
    }

    /** Says which holds are not even to end because too few servers know them. */
    void expectsToBeKept(Predicate<Claim> kept) {
        isKept = kept;
    }

    /** Whether nothing has been wrong since a time, and for a while before. */
    private boolean allWellSince(long nanos) {
        return nanos > disturbedUntilNanos.getAsLong() + WakeUpChecker.AFTERMATH_NANOS;
    }

    // --- how calls end ---

    /** A call has failed. */
    void failed(Call call, Throwable failure) {
        if (call.client.api().isClosed()) {
            return;
        }
        if (failure instanceof LockOutcomeUnknownException
                && !quorum
                && !call.crowded
                && allWellSince(call.startNanos)) {
            complaints.broken("ERR", call + ": its outcome is unknown though everything is in order: " + failure);
        }
        if (failure instanceof LockUnavailableException unavailable && call.wantsLock() && call.waitNanos > 0) {
            gaveUpSoon(call, unavailable);
        }
        if (failure instanceof LockFailure && !quorum && call.wantsLock() && call.alone && !call.joined) {
            long tries = call.client.heard.timesRefusedForGoodSince(keys.get(call.lock), call.startNanos);
            if (tries > MOST_HOPELESS_TRIES) {
                complaints.broken("LV", call + ": was tried " + tries + " times though that is hopeless: " + failure);
            }
        }
    }

    private void gaveUpSoon(Call call, LockUnavailableException failure) {
        long patience = call.waitNanos == Call.UNLIMITED ? outageNanos : call.waitNanos;
        boolean served = failure.reason() == FailureReason.NO_ANSWER || failure.reason() == FailureReason.NO_MAJORITY;
        // What replicas do not confirm is not tried again (rule 85).
        boolean refused = failure.reason() == FailureReason.NOREPLICAS
                && call.client.options.waitForReplicas().isPresent();
        if (!quorum && !served && !refused && world.nanos() - call.startNanos + LAST_PAUSE_NANOS < patience) {
            complaints.broken(
                    "ERR",
                    call + ": was given up after " + call.runningNanos() / MILLI + " of " + patience / MILLI
                            + " ms for what passes: " + failure);
        }
    }

    // --- while calls wait ---

    /** Looks from time to time. */
    void look(List<SimulatedClient> clients, Referee referee, boolean withFaults) {
        for (Call call : referee.ending.open()) {
            if (call.wantsLock() && !call.owner.isEmpty()) {
                look(call, referee);
            }
            if (call.waitNanos == Call.UNLIMITED && call.alone && !call.joined) {
                lookForPatience(call);
            }
        }
        for (Claim claim : referee.allClaims()) {
            look(claim, referee);
        }
        for (SimulatedClient client : clients) {
            look(client, withFaults);
        }
    }

    /** When the last watched level has gone, the present lease stands, and no other follows. */
    private void look(Claim claim, Referee referee) {
        boolean busy = referee.ending.open().stream().anyMatch(call -> call.owner.equals(claim.owner));
        boolean excused = !claim.client.isRunning() || claim.isExcused();
        if (busy || excused || !claim.knowsItsLevels() || claim.isWatched()) {
            claim.unwatchedNanos = -1;
        } else if (claim.unwatchedNanos < 0) {
            claim.unwatchedNanos = world.nanos();
        } else if (world.nanos() - claim.unwatchedNanos > longestLeaseNanos && claim.isValid()) {
            complaints.broken("LV", claim + ": nothing is to be renewed, and it outlives every lease");
        }
    }

    /** A hold was lost while everything was in order, and not because of somebody's will. */
    void lost(Claim claim, LossReason reason, Referee referee) {
        boolean busy = referee.ending.open().stream().anyMatch(call -> call.owner.equals(claim.owner));
        boolean ranOut = reason == LossReason.LEASE_EXPIRED || reason == LossReason.NOT_RENEWED;
        boolean forgotten = reason == LossReason.KEY_GONE && isKept.test(claim);
        if ((ranOut || forgotten)
                && !busy
                && claim.knowsItsLevels()
                && claim.isWatched()
                && allWellSince(world.nanos())) {
            complaints.broken("LV", claim + ": one of its levels is to be renewed, but it was lost: " + reason);
        }
    }

    /** Who waits without a limit puts up with the longest outage and a last request, and not with more. */
    private void lookForPatience(Call call) {
        long sinceNanos = Math.max(call.startNanos, call.client.heard.failingSinceNanos(keys.get(call.lock)));
        long mostNanos = outageNanos + call.client.options.commandTimeout().toNanos() + SLACK_NANOS;
        boolean ranAllTheWhile = call.client.isRunning() && call.client.pausedNanos() == call.pausedBefore;
        if (!quorum && ranAllTheWhile && world.nanos() - mostNanos > sinceNanos) {
            complaints.broken(
                    "LV",
                    call + ": goes on though every request has failed for " + (world.nanos() - sinceNanos) / MILLI
                            + " ms");
        }
    }

    private void look(Call call, Referee referee) {
        Claim own = referee.ofOwner(call.lock, call.owner);
        boolean waitsForItself = own != null && call.client.isRunning() && own.isValid() && allWellSince(world.nanos());
        call.looksAtOwnHold = waitsForItself ? call.looksAtOwnHold + 1 : 0;
        if (call.looksAtOwnHold > MOST_LOOKS_AT_OWN_HOLD) {
            complaints.broken("NLW", call + ": waits for a lock that its own owner has");
        }
    }

    private void look(SimulatedClient client, boolean withFaults) {
        client.rounds.look();
        client.backends.forEach(backend -> backend.commands.judges.renewals.look());
        for (LuaString key : keys) {
            long asked = client.heard.timesAskedLately(key);
            if (asked > MOST_ASKED_IN_A_SECOND * client.backends.size()) {
                complaints.broken("LV", client.name + ": asked " + asked + " times within a second for " + key);
            }
        }
        if (!withFaults && client.heard.longestTurnNanos() > LONGEST_TURN_NANOS) {
            complaints.broken(
                    "LV",
                    client.name + ": kept a lock among its own for " + client.heard.longestTurnNanos() / MILLI + " ms");
        }
        if (!withFaults && client.heard.longestTakenNanos() > LONGEST_TAKEN_NANOS) {
            complaints.broken(
                    "LV",
                    client.name + ": kept a lock in its turn for " + client.heard.longestTakenNanos() / MILLI + " ms");
        }
        if (!withFaults && client.heard.longestAmongOthersNanos() > LONGEST_AMONG_OTHERS_NANOS) {
            complaints.broken(
                    "LV",
                    client.name + ": kept a lock for " + client.heard.longestAmongOthersNanos() / MILLI
                            + " ms after it knew of others");
        }
        if (!withFaults && client.heard.mostHandOvers() > MOST_HAND_OVERS) {
            complaints.broken(
                    "LV", client.name + ": handed a lock on " + client.heard.mostHandOvers() + " times in a row");
        }
    }
}
