package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.tests.harness.EventChecker;
import io.holdfast.lock.tests.harness.OneLane;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * Watches what owners are told, in the order in which they are told it, and shows it to the checkers.
 *
 * <p>A handle is asked for its state after every event of its client while its window lasts, which changes nothing. Once
 * the window has passed it is left alone for a while: whoever asks an expired hold latches its loss, and that the loss
 * is final has to be true without anybody's asking.
 */
final class Referee implements World.Observer {

    private static final long LONGEST_SILENCE_NANOS = 300_000_000L;
    private static final long TOLD_WITHIN_NANOS = 100_000_000L;
    private static final long IN_DOUBT_NANOS = 20_000_000L;
    /** A hold that was seen so long ago refuses nobody; clocks drift, and timers are late. */
    private static final long SEEN_LATELY_NANOS = 5_300_000_000L;

    private final World world;
    private final Ledger ledger;
    private final Chance chance;
    private final Complaints complaints;
    private final UserCode userCode;
    private final ExclusionChecker exclusion;
    final Chronicle chronicle;
    final FencingChecker fencing;
    final EndingChecker ending;
    private @Nullable MannersChecker manners;

    /** What has not ended, for each lock. */
    private final List<List<Claim>> claims = new ArrayList<>();

    private List<SimulatedServer> servers = List.of();
    private List<String> keys = List.of();
    private final Set<String> lossesHeard = new HashSet<>();
    private long disturbedUntilNanos;
    private int granted;
    private int losses;

    Referee(World world, Ledger ledger, FencingChecker fencing, Complaints complaints, int locks) {
        this.world = world;
        this.ledger = ledger;
        this.fencing = fencing;
        this.complaints = complaints;
        this.chance = new Chance(world.seed, 77);
        this.userCode = new UserCode(world);
        this.exclusion = new ExclusionChecker(complaints);
        this.ending = new EndingChecker(complaints);
        this.chronicle = new Chronicle(world, locks);
        for (int i = 0; i < locks; i++) {
            claims.add(new ArrayList<>());
        }
    }

    // --- grants ---

    /** A call was answered with a hold. */
    Claim handedOut(Call call, LockHold hold) {
        Claim claim = Claim.ofHandle(call.client, call.lock, hold, ledger);
        claim.askedNanos = call.startNanos;
        granted++;
        if (call.client.rounds.wasGrantedTooLate(claim.owner)) {
            complaints.broken("ERR", claim + ": was handed out, though its validity was over when it was granted");
        }
        hold.onLost(loss -> {
            userCode.calledBack("onLost", claim.client.lock(claim.lock));
            lost(claim);
        });
        long left = hold.validFor().toNanos();
        claim.validUntilNanos = world.nanos() + call.client.clock.worldNanos(left);
        if (left <= 0 || !Claim.isAlive(hold.state())) {
            // It was lost on the way to its owner, who is told at the first look.
            claim.expired = true;
            claims.get(call.lock).add(claim);
            chronicle.granted(call, claim, true);
            verifyLoss(claim);
            return claim;
        }
        claim.token = hold.fencingToken();
        accept(claim);
        boolean exclusive = isExclusive(claim);
        chronicle.granted(call, claim, false);
        if (!exclusive && fencing.isQuorum()) {
            chronicle.token(call, 0);
        }
        fencing.handedOut(claim.lock, claim.owner, claim.token, exclusive);
        if (ledger.find(claim.lock, claim.owner, claim.token) == null) {
            complaints.broken("FM", claim + ": no server ever gave it this token");
        }
        return claim;
    }

    /** A call of a thread was answered: it has the lock, perhaps once more. */
    void handedOut(Call call, long threadId) {
        granted++;
        Claim claim = find(call.client, call.lock, threadId);
        int count = call.client.heldTimes(call.lock, threadId);
        boolean gone =
                call.client.heard.wasGoneSince(LuaString.valueOf(keys.get(call.lock)), call.owner, call.startNanos);
        if (claim != null && claim.certain && !call.crowded && gone && !ledger.isQuorum()) {
            complaints.broken("ERR", call + ": took it anew, and its owner was not told that the hold before is gone");
        }
        if (claim != null && count > 1) {
            claim.count++;
            chronicle.granted(call, claim, count);
            compareCounts(claim, call);
            return;
        }
        if (claim != null) {
            claim.ended = true;
            claims.get(call.lock).remove(claim);
        }
        Claim fresh = Claim.ofThread(call.client, call.lock, threadId, ledger);
        fresh.askedNanos = call.startNanos;
        fresh.certain = claim == null && count == 1;
        chronicle.granted(call, fresh, count);
        if (count > 0) {
            accept(fresh);
        }
    }

    private void accept(Claim claim) {
        world.mix(claim.token);
        if (world.isTraced()) {
            world.note(claim.client.name, "HOLDS lock " + claim.lock + ": " + claim);
        }
        List<Claim> others = claims.get(claim.lock);
        exclusion.handedOut(claim, others);
        for (Claim other : others) {
            // Threads are asked at this moment only; handles, all the time.
            if (other.hold == null && !other.owner.equals(claim.owner) && other.isValid()) {
                chronicle.lasts(other, world.nanos() + 1);
            }
        }
        others.add(claim);
    }

    private boolean isExclusive(Claim claim) {
        if (claim.isExcused()) {
            return false;
        }
        for (Claim other : claims.get(claim.lock)) {
            if (other != claim && other.isExcused()) {
                return false;
            }
        }
        return true;
    }

    /** The hold of a thread that has not ended, so far as its owner was told. */
    @Nullable
    Claim find(SimulatedClient client, int lock, long threadId) {
        for (Claim claim : claims.get(lock)) {
            if (claim.client == client && claim.hold == null && claim.threadId == threadId) {
                return claim;
            }
        }
        return null;
    }

    /** The hold of an owner that has not ended, so far as the owner was told. */
    @Nullable
    Claim ofOwner(int lock, String owner) {
        for (Claim claim : claims.get(lock)) {
            if (claim.owner.equals(owner)) {
                return claim;
            }
        }
        return null;
    }

    /** Whether a call may have to wait for a poll, since its client has no way to know that the lock is free. */
    boolean mayHaveToPoll(Call call) {
        return !ledger.wasFreedOpenly(call.lock) || believesHeld(call);
    }

    /** Whether the client of a call believes that it has the lock itself, for another owner. */
    boolean believesHeld(Call call) {
        for (Claim claim : claims.get(call.lock)) {
            // A client whose clock stood still believes for longer than the world's time allows.
            if (claim.client == call.client && (claim.isValid() || claim.client.isClockDoubted(claim.askedNanos))) {
                return true;
            }
        }
        return false;
    }

    List<Claim> claims(int lock) {
        return claims.get(lock);
    }

    List<Claim> allClaims() {
        List<Claim> all = new ArrayList<>();
        claims.forEach(all::addAll);
        return all;
    }

    // --- ends ---

    /** It was given back, or its owner was told that there is nothing to give back. */
    void ended(Claim claim) {
        if (!claim.ended) {
            claim.ended = true;
            claims.get(claim.lock).remove(claim);
            if (world.isTraced()) {
                world.note(claim.client.name, "no longer holds lock " + claim.lock + ": " + claim);
            }
        }
    }

    private void lost(Claim claim) {
        losses++;
        world.mix(claim.token);
        if (world.isTraced()) {
            world.note(claim.client.name, "is told of the LOSS of lock " + claim.lock + ": " + claim);
        }
        if (++claim.lossesTold > 1) {
            complaints.broken("ERR", claim + ": its loss was told " + claim.lossesTold + " times");
        }
        if (Claim.isAlive(hold(claim).state())) {
            complaints.broken(
                    "ERR",
                    claim + ": its loss was told while it is " + hold(claim).state());
        }
    }

    /** The release of a hold that was valid has failed. */
    void releaseFailed(Call call, Claim claim, Throwable failure) {
        boolean windowLasts = claim.hold != null && world.nanos() < claim.validUntilNanos;
        if (failure instanceof LockNotHeldException && claim.hold != null) {
            complaints.broken("ERR", claim + ": was valid, and releasing it failed: " + failure);
        }
        if (failure instanceof LockLostException lost && !endedHere(lost) && wasReleased(call, claim)) {
            complaints.broken("ERR", claim + ": was released, but that is called a loss: " + failure);
        }
        if (failure instanceof LockLostException lost && !endedHere(lost) && windowLasts && servers.size() == 1) {
            Acquisition acquisition = ledger.find(claim.lock, claim.owner, claim.token);
            if (acquisition != null && (acquisition.isThere() || acquisition.end == Keyspace.Cause.RELEASED)) {
                complaints.broken(
                        "ERR", claim + ": was valid and known to the server, but its release says: " + failure);
            }
        }
    }

    /** Whether a release has taken effect at the server, whatever became of its answer. */
    private boolean wasReleased(Call call, Claim claim) {
        Acquisition acquisition = ledger.find(claim.lock, claim.owner, claim.token);
        return claim.hold != null
                && !ledger.isQuorum()
                && !call.crowded
                && acquisition != null
                && acquisition.end == Keyspace.Cause.RELEASED
                && acquisition.endNanos >= call.startNanos;
    }

    /** Whether its own client has ended a hold, whatever the server knows. */
    private static boolean endedHere(LockLostException lost) {
        return lost.lossReason() == LossReason.CLIENT_CLOSED || lost.lossReason() == LossReason.FORCED;
    }

    /** The release of a hold that was valid has succeeded, and so soon that it cannot have been repeated. */
    void releasedAtOnce(Claim claim) {
        Acquisition acquisition = ledger.newest(claim.lock, claim.owner);
        // What a replica brought back has no token here.
        Keyspace.Cause end = acquisition == null || acquisition.token == 0 ? null : acquisition.end;
        // A lock that may be handed on is released without asking.
        boolean own = end == null
                || acquisition.tokens > 1
                || end == Keyspace.Cause.RELEASED
                || end == Keyspace.Cause.TRANSFERRED;
        if (claim.hold != null && !own && servers.size() == 1) {
            complaints.broken("ERR", claim + ": was " + end + ", and its release says nothing of that");
        }
    }

    /** Who judges how calls fail. */
    void judges(MannersChecker checker) {
        manners = checker;
    }

    /** A call has ended with a failure. */
    void failed(Call call, Throwable failure) {
        if (manners != null) {
            manners.failed(call, failure);
        }
    }

    /** When the last fault so far is over. */
    void disturbedUntil(long nanos) {
        disturbedUntilNanos = nanos;
    }

    /** A call was told that somebody else has the lock. */
    void refused(Call call) {
        boolean byServer = call.client.heard.wasRefusedSince(LuaString.valueOf(keys.get(call.lock)), call.startNanos);
        boolean isReserved = ledger.wasReservedSince(call.lock, call.startNanos);
        chronicle.refused(call, byServer && !isReserved && !fencing.isQuorum());
        seenLately(call);
        if (call.alone && !byServer && !believesHeld(call)) {
            complaints.broken("ERR", call + ": was refused, though no server has refused it");
        }
        if (call.alone
                && !call.disturbed
                && call.freeAllTheWhile
                && !isReserved
                && !ledger.wasHeldSince(call.lock, call.startNanos)
                && !believesHeld(call)) {
            complaints.broken("NLW", call + ": was refused, though the lock was free all the while");
        }
    }

    /** Who is refused was told so by an answer, or somebody was seen to hold the lock not long ago. */
    private void seenLately(Call call) {
        LuaString key = LuaString.valueOf(keys.get(call.lock));
        Heard heard = call.client.heard;
        long seenNanos = heard.seenHeldNanos(key);
        boolean lately = world.nanos() - seenNanos <= SEEN_LATELY_NANOS;
        if (!lately && !heard.heardHeldSince(key, call.startNanos) && !call.client.isClockDoubted(seenNanos)) {
            complaints.broken("ERR", call + ": was refused, though nobody was seen to hold the lock for a while");
        }
    }

    /** A process is no more: nobody is left to act. */
    void crashed(SimulatedClient client) {
        for (Claim claim : allClaims()) {
            if (claim.client == client) {
                ended(claim);
            }
        }
        ending.crashed(client);
    }

    // --- counts ---

    /** Where counts can be compared at any time, and under which keys. */
    void comparesCounts(List<SimulatedServer> comparedServers, List<String> comparedKeys) {
        servers = comparedServers;
        keys = comparedKeys;
    }

    /** Whether the owner of a hold is doing anything with it. */
    boolean isBusy(Claim claim) {
        for (Call call : ending.open()) {
            if (call.client == claim.client && call.lock == claim.lock && call.owner.equals(claim.owner)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A step of an owner has just been confirmed: if it was the only one, the server counts what the client does, unless it
     * has been replaced meanwhile by one that knows nothing of the step, or has freed the lock by force and given it to the next.
     */
    void compareCounts(Claim claim, Call step) {
        if (isBusy(claim) || claim.isExcused()) {
            return;
        }
        for (SimulatedServer server : servers) {
            long count = CountChecker.count(server, keys.get(claim.lock), claim);
            int told = claim.client.heldTimes(claim.lock, claim.threadId);
            if (count > 0 && told > 0 && count != told && server.promotedNanos() < step.startNanos) {
                complaints.broken("HC", claim + ": " + server.name + " counts " + count + ", its client " + told);
            }
        }
    }

    // --- after every event ---

    @Override
    public void happened(@Nullable SimulatedClient client) {
        if (client == null || !client.isRunning()) {
            return;
        }
        for (int lock = 0; lock < claims.size(); lock++) {
            List<Claim> held = claims.get(lock);
            for (int i = held.size() - 1; i >= 0; i--) {
                Claim claim = held.get(i);
                if (claim.client == client && claim.hold != null && !claim.expired) {
                    look(claim);
                }
            }
        }
    }

    private void look(Claim claim) {
        if (world.nanos() >= claim.validUntilNanos && !claim.client.isClockDoubted(claim.askedNanos)) {
            claim.expired = true;
            world.after(chance.below(LONGEST_SILENCE_NANOS), claim.client, () -> verifyLoss(claim));
            return;
        }
        long left = hold(claim).validFor().toNanos();
        if (left > 0) {
            long until = world.nanos() + claim.client.clock.worldNanos(left);
            chronicle.lasts(claim, until);
            claim.validUntilNanos = until;
        } else if (!Claim.isAlive(hold(claim).state())) {
            // Released, or known to be lost before its window had passed.
            claim.expired = true;
            if (claim.releasing) {
                ended(claim);
            } else {
                verifyLoss(claim);
            }
        }
    }

    private void verifyLoss(Claim claim) {
        boolean alive = Claim.isAlive(hold(claim).state());
        if (!claim.client.isClockDoubted(claim.askedNanos)) {
            exclusion.passed(claim, alive);
        }
        ended(claim);
        if (!claim.releasing) {
            world.after(TOLD_WITHIN_NANOS, claim.client, () -> {
                if (claim.lossesTold == 0) {
                    complaints.broken("ERR", claim + ": nobody told its owner of its loss");
                }
            });
        }
    }

    private static LockHold hold(Claim claim) {
        LockHold hold = claim.hold;
        if (hold == null) {
            throw new IllegalStateException(claim + " has no handle");
        }
        return hold;
    }

    // --- what a client's listener hears ---

    /** The listener of a client: what it is told has to be in order, and true. */
    LockListener listener(List<String> lockNames) {
        LockListener order = new EventChecker(fault -> complaints.broken("ERR", fault), true);
        return new OneLane(LockListener.of(order, judge(lockNames)));
    }

    /** The tokens that owners are told must be those that servers gave. */
    private LockListener judge(List<String> lockNames) {
        return new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                long token = event.fencingToken().orElseThrow();
                chronicle.toldToken(lockNames.indexOf(event.name()), event.owner(), token);
                if (ledger.find(lockNames.indexOf(event.name()), event.owner(), token) == null) {
                    complaints.broken("FM", event.owner() + ": no server ever gave it token " + token);
                }
            }

            @Override
            public void renewalFailed(LockEvent event) {
                Claim claim = ofOwner(lockNames.indexOf(event.name()), event.owner());
                LockHold hold = claim == null || claim.expired ? null : claim.hold;
                if (hold != null
                        && !ledger.isQuorum()
                        && world.nanos() < claim.validUntilNanos
                        && !claim.client.heard.wasConfirmedSince(claim.owner, world.nanos() - IN_DOUBT_NANOS)
                        && hold.state() == HoldState.HELD) {
                    complaints.broken("ERR", claim + ": a renewal failed, and it is not in doubt");
                }
            }

            @Override
            public void lost(LockEvent event) {
                long token = event.fencingToken().orElseThrow();
                LossReason reason = event.lossReason().orElseThrow();
                world.mix(token);
                chronicle.toldLost(lockNames.indexOf(event.name()), event.owner(), reason == LossReason.FORCED);
                if (reason == LossReason.LEASE_EXPIRED) {
                    ledger.ranOut(lockNames.indexOf(event.name()), event.owner(), token);
                }
                boolean first = lossesHeard.add(event.name() + event.owner() + token);
                // A server that has lost its data and its time may give an owner the same token again.
                if (!first && !fencing.isExcused()) {
                    complaints.broken("ERR", event.owner() + ": the listener heard twice that it was lost");
                }
                Claim claim = ofOwner(lockNames.indexOf(event.name()), event.owner());
                if (manners != null && claim != null) {
                    manners.lost(claim, reason, Referee.this);
                }
                boolean calm = disturbedUntilNanos + WakeUpChecker.AFTERMATH_NANOS < world.nanos();
                if (reason == LossReason.NOT_RENEWED && calm) {
                    complaints.broken("LV", event.owner() + ": was not renewed, though everything is in order");
                }
            }
        };
    }

    int granted() {
        return granted;
    }

    long excusedOverlaps() {
        return exclusion.excusedOverlaps();
    }

    int losses() {
        return losses;
    }
}
