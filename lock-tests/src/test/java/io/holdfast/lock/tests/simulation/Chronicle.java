package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.tests.history.Operation;
import io.holdfast.lock.tests.history.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** What owners asked for and were told, call by call: what {@link OrderChecker} looks for an order in. */
final class Chronicle {

    /** A hold that its owner was told of when it was over already. */
    private static final long OVER = 0;
    /** Times that are read from two clocks differ by a little, which is no renewal. */
    private static final long CLOCK_GRAIN_NANOS = 10_000;

    private final World world;
    private final List<List<Entry>> locks = new ArrayList<>();
    private final Set<String> tokensTold = new HashSet<>();
    private final List<Force> forces = new ArrayList<>();
    private final Set<String> ownersLost = new HashSet<>();
    private final Set<String> ownersForced = new HashSet<>();

    /** One call of an owner with what he was told; until he is, the outcome is unknown. */
    static final class Entry {

        final io.holdfast.lock.tests.history.Call asked;
        final long askedNanos;
        String owner;
        Outcome outcome = Outcome.UNKNOWN;
        long answeredNanos = Operation.FOREVER;
        long token;
        int count;
        long validUntilNanos = Operation.FOREVER;
        /** The hold that it was about; null if there was none. */
        @Nullable
        Claim claim;

        private Entry(io.holdfast.lock.tests.history.Call asked, String owner, long askedNanos) {
            this.asked = asked;
            this.owner = owner;
            this.askedNanos = askedNanos;
        }

        private boolean isAbout(Claim other) {
            return asked == io.holdfast.lock.tests.history.Call.EXTEND && claim == other;
        }

        /** Whether two calls of one owner were in progress at once. */
        boolean overlaps(Entry other) {
            return askedNanos <= other.answeredNanos && other.askedNanos <= answeredNanos;
        }
    }

    Chronicle(World world, int locks) {
        this.world = world;
        for (int i = 0; i < locks; i++) {
            this.locks.add(new ArrayList<>());
        }
    }

    List<Entry> entries(int lock) {
        return locks.get(lock);
    }

    // --- questions ---

    /** Somebody wants a lock. */
    void wants(Call call) {
        // Whoever wants a hold of its own is told only then how the owner is called.
        String owner = call.owner.isEmpty()
                ? "(call " + locks.get(call.lock).size() + " of " + call.client.name + ")"
                : call.owner;
        call.entry = enter(call.lock, new Entry(io.holdfast.lock.tests.history.Call.ACQUIRE, owner, world.nanos()));
    }

    /** Somebody gives back what he may not even have. */
    void releases(Call call, @Nullable Claim claim) {
        about(call, claim, io.holdfast.lock.tests.history.Call.RELEASE);
    }

    /** Somebody wants his hold to last longer. */
    void extendsHold(Call call, Claim claim) {
        about(call, claim, io.holdfast.lock.tests.history.Call.EXTEND);
    }

    private void about(Call call, @Nullable Claim claim, io.holdfast.lock.tests.history.Call asked) {
        Entry entry = enter(call.lock, new Entry(asked, call.owner, world.nanos()));
        entry.claim = claim;
        entry.token = claim == null ? 0 : claim.token;
        call.entry = entry;
    }

    private Entry enter(int lock, Entry entry) {
        locks.get(lock).add(entry);
        return entry;
    }

    // --- answers ---

    /** A call was answered with a handle. */
    void granted(Call call, Claim claim, boolean isOver) {
        Entry entry = answered(call, Outcome.OK);
        if (entry != null) {
            entry.owner = claim.owner;
            entry.claim = claim;
            entry.token = claim.token;
            entry.count = 1;
            entry.validUntilNanos = isOver ? OVER : claim.validUntilNanos;
        }
    }

    /**
     * A thread was told that it has the lock.
     *
     * @param count how often, by its client's word
     */
    void granted(Call call, @Nullable Claim claim, int count) {
        Entry entry = answered(call, Outcome.OK);
        if (entry != null) {
            entry.claim = claim;
            entry.count = count;
            // Nobody tells a thread how long its hold is valid. But it is now, and it was asked for by this call or
            // later.
            entry.validUntilNanos =
                    count == 0 ? OVER : Math.max(world.nanos() + 1, entry.askedNanos + call.surelyValidNanos());
        }
    }

    /** The token of a hold was asked for later. */
    void token(Call call, long token) {
        if (call.entry != null) {
            call.entry.token = token;
        }
    }

    void done(Call call) {
        answered(call, Outcome.OK);
    }

    void extended(Call call) {
        Entry entry = answered(call, Outcome.OK);
        if (entry != null) {
            entry.validUntilNanos = entry.askedNanos + call.surelyValidNanos();
        }
    }

    /**
     * A call was told that somebody else has the lock. That need not be so if several servers were asked, for votes may be
     * split; nor if its client did not ask, because it thought that it had the lock itself; nor if others of its client
     * stood before it, with whom it waited until its time was over.
     *
     * @param byServer whether the only server said so
     */
    void refused(Call call, boolean byServer) {
        answered(call, byServer && call.alone && !call.crowded ? Outcome.REFUSED : Outcome.FAIL);
    }

    void failed(Call call, Throwable failure) {
        boolean isRelease = call.entry != null && call.entry.asked == io.holdfast.lock.tests.history.Call.RELEASE;
        if (failure instanceof LockLostException || failure instanceof LockNotHeldException) {
            answered(call, Outcome.LOST);
        } else if (isRelease
                || failure instanceof LockOutcomeUnknownException
                || failure instanceof LockClientClosedException
                || failure instanceof CancellationException
                || failure instanceof InterruptedException) {
            // A release goes on in the background, whatever its owner was told.
            answered(call, Outcome.UNKNOWN);
        } else {
            answered(call, Outcome.FAIL);
        }
    }

    private @Nullable Entry answered(Call call, Outcome outcome) {
        Entry entry = call.entry;
        if (entry != null) {
            entry.outcome = outcome;
            entry.answeredNanos = world.nanos();
        }
        return entry;
    }

    // --- what nobody asked for ---

    /** A hold says that it is valid until then: it was renewed, or somebody has looked. */
    void lasts(Claim claim, long validUntilNanos) {
        if (validUntilNanos <= claim.validUntilNanos + CLOCK_GRAIN_NANOS && claim.hold != null) {
            return;
        }
        List<Entry> entries = locks.get(claim.lock);
        Entry last = entries.isEmpty() ? null : entries.get(entries.size() - 1);
        if (last != null && last.isAbout(claim) && last.askedNanos == last.answeredNanos) {
            // Nothing has happened since.
            entries.remove(entries.size() - 1);
        }
        Entry entry =
                enter(claim.lock, new Entry(io.holdfast.lock.tests.history.Call.EXTEND, claim.owner, world.nanos()));
        entry.claim = claim;
        entry.token = claim.token;
        entry.outcome = Outcome.OK;
        entry.answeredNanos = world.nanos();
        entry.validUntilNanos = validUntilNanos;
    }

    /** A client ends whatever hold of its own it finds while it forces a lock, also one that it was granted meanwhile. */
    final class Force {

        private final SimulatedClient client;
        private final int lock;
        private final long askedNanos = world.nanos();
        private long answeredNanos = Operation.FOREVER;

        private Force(SimulatedClient client, int lock) {
            this.client = client;
            this.lock = lock;
        }

        void answered() {
            answeredNanos = world.nanos();
        }
    }

    Force forces(SimulatedClient client, int lock) {
        Force force = new Force(client, lock);
        forces.add(force);
        return force;
    }

    void toldLost(int lock, String owner, boolean byForce) {
        ownersLost.add(lock + owner);
        if (byForce) {
            ownersForced.add(lock + owner);
        }
    }

    /** Since when nothing protects a hold but its client's word; {@link Operation#FOREVER} if all did throughout. */
    long unprotectedNanos(Claim claim) {
        long since = claim.doubtedNanos();
        if (claim.client.isCrashed() || ownersLost.contains(claim.lock + claim.owner)) {
            // Whoever hears that a server has forgotten his hold may give up the others at once.
            since = Math.min(since, claim.forgottenNanos());
        }
        boolean forced = claim.client.isCrashed() || ownersForced.contains(claim.lock + claim.owner);
        for (Force force : forces) {
            if (forced
                    && force.client == claim.client
                    && force.lock == claim.lock
                    && force.answeredNanos >= claim.askedNanos) {
                since = Math.min(since, force.askedNanos);
            }
        }
        return since;
    }

    /** A client has told its listener of a token. */
    void toldToken(int lock, String owner, long token) {
        tokensTold.add(lock + owner + token);
    }

    /** Whether an owner, or a listener, was ever told of what a server has granted. */
    boolean wasTold(Acquisition acquisition) {
        return tokensTold.contains(acquisition.lock + acquisition.owner() + acquisition.token);
    }
}
