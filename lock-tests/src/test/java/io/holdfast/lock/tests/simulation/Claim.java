package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What an owner was told that it holds, and what its client says of it since. */
final class Claim implements ExclusionChecker.Window {

    final SimulatedClient client;
    final int lock;
    final String owner;
    /** The handle; null for a thread's hold. */
    final @Nullable LockHold hold;
    /** The thread's id; 0 for a handle. */
    final long threadId;

    private final Ledger ledger;
    /** When it was asked for: what its exclusion rests on begins no earlier. */
    long askedNanos;

    long token;
    /** How often it was taken, as far as its owner was told. */
    int count = 1;
    /** Whether each level is renewed for as long as it is held, the newest first; only where that is known. */
    final Deque<Boolean> levels = new ArrayDeque<>();
    /** Since when no level has been renewed; negative while one is, or nobody has looked. */
    long unwatchedNanos = -1;
    /** Whether that is certain; an unknown outcome leaves it open. */
    boolean certain = true;
    /** Until when it is valid if it is not renewed, by the world's time; only for handles. */
    long validUntilNanos;

    boolean releasing;
    boolean ended;
    boolean expired;
    int lossesTold;

    private Claim(
            SimulatedClient client, int lock, String owner, @Nullable LockHold hold, long threadId, Ledger ledger) {
        this.client = client;
        this.lock = lock;
        this.owner = owner;
        this.hold = hold;
        this.threadId = threadId;
        this.ledger = ledger;
    }

    static Claim ofHandle(SimulatedClient client, int lock, LockHold hold, Ledger ledger) {
        return new Claim(client, lock, hold.owner(), hold, 0, ledger);
    }

    static Claim ofThread(SimulatedClient client, int lock, long threadId, Ledger ledger) {
        return new Claim(client, lock, client.api().id() + ':' + threadId, null, threadId, ledger);
    }

    @Override
    public String owner() {
        return owner;
    }

    /** Whether it is certain which of its levels are renewed. */
    boolean knowsItsLevels() {
        return certain && levels.size() == count;
    }

    /** It was taken once more. What happens at the same time is told in no certain order. */
    void pushLevel(Call call) {
        unwatchedNanos = -1;
        if (call.crowded) {
            levels.clear();
        } else {
            levels.push(call.watched);
        }
    }

    /** It was given back once. */
    void popLevel(Call call) {
        unwatchedNanos = -1;
        if (call.crowded) {
            levels.clear();
        } else {
            levels.poll();
        }
    }

    boolean isWatched() {
        return levels.contains(true);
    }

    /** By the client's word. A handle is asked only while its window lasts, for asking later would latch its loss. */
    @Override
    public boolean isValid() {
        if (ended || client.isCrashed()) {
            return false;
        }
        if (hold == null) {
            return client.lock(lock).isHeldByThread(threadId);
        }
        return client.world.nanos() < validUntilNanos && isAlive(hold.state());
    }

    @Override
    public boolean isExcused() {
        return client.isClockDoubted(askedNanos) || ledger.isDoubted(lock, owner, askedNanos);
    }

    /** Since when nothing protects it but its client's word: {@link #isExcused} then, or its client was being closed. */
    long doubtedNanos() {
        return Math.min(
                client.closingNanos(),
                Math.min(client.clockDoubtedNanos(askedNanos), ledger.doubtedNanos(lock, owner, askedNanos)));
    }

    /** When the first of the servers forgot it; {@link Long#MAX_VALUE} if none did. */
    long forgottenNanos() {
        return ledger.forgottenNanos(lock, owner, askedNanos);
    }

    static boolean isAlive(HoldState state) {
        return state == HoldState.HELD || state == HoldState.UNCERTAIN;
    }

    @Override
    public String toString() {
        return owner + (token == 0 ? "" : ", token " + token);
    }
}
