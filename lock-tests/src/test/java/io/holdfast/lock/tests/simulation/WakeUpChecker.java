package io.holdfast.lock.tests.simulation;

import java.util.List;
import org.luaj.vm2.LuaString;

/**
 * NLW: a free lock does not stay free while somebody waits for it. With everything in order it is granted promptly;
 * after faults, a poll later at most.
 */
final class WakeUpChecker {

    static final long PERIOD_NANOS = 100_000_000L;

    private static final long SECOND = 1_000_000_000L;
    private static final long PROMPT_NANOS = SECOND;
    private static final long PROMPT_WITHOUT_FAULTS_NANOS = SECOND / 2;
    private static final long PROMPT_QUORUM_NANOS = 3 * SECOND;
    private static final long POLL_NANOS = 13 * SECOND / 2;
    /** How long after a fault connections, subscriptions and retries may still be on their way back. */
    static final long AFTERMATH_NANOS = 5 * SECOND / 2;

    /** What calls and their clients can know of a lock. */
    interface Knowledge {

        /** Until when a lock was held, so far as that is known more exactly than by looking. */
        long heldUntilNanos(int lock);

        /** Whether a call's client has no way to know that the lock is free. */
        boolean mayHaveToPoll(Call call);
    }

    private final Complaints complaints;
    private final long promptNanos;
    private long[] freeSinceNanos = new long[0];

    WakeUpChecker(Complaints complaints, boolean quorum, boolean withFaults) {
        this.complaints = complaints;
        long single = withFaults ? PROMPT_NANOS : PROMPT_WITHOUT_FAULTS_NANOS;
        this.promptNanos = quorum ? PROMPT_QUORUM_NANOS : single;
    }

    void look(
            long now,
            long disturbedUntilNanos,
            long messyUntilNanos,
            List<SimulatedServer> servers,
            List<LuaString> keys,
            List<Call> open,
            Knowledge knowledge) {
        if (freeSinceNanos.length == 0) {
            freeSinceNanos = new long[keys.size()];
        }
        for (int lock = 0; lock < keys.size(); lock++) {
            int taken = 0;
            for (SimulatedServer server : servers) {
                taken += server.keys().exists(keys.get(lock)) ? 1 : 0;
            }
            // Over several servers, a majority of free ones is a free lock.
            if (taken > servers.size() - (servers.size() / 2 + 1)) {
                freeSinceNanos[lock] = now;
            }
            freeSinceNanos[lock] = Math.max(freeSinceNanos[lock], knowledge.heldUntilNanos(lock));
            for (Call call : open) {
                if (call.lock == lock && call.wantsLock()) {
                    boolean unknowing = knowledge.mayHaveToPoll(call) || isBehindUnknowing(call, open, now);
                    call.freeAllTheWhile = taken == 0 && (call.freeAllTheWhile || !call.seen);
                    call.seen = true;
                    call.disturbed |=
                            call.startNanos < Math.max(disturbedUntilNanos, messyUntilNanos) + AFTERMATH_NANOS;
                    unknowing |= call.startNanos < messyUntilNanos + AFTERMATH_NANOS;
                    look(call, now, freeSinceNanos[lock], disturbedUntilNanos, unknowing);
                }
            }
        }
    }

    /** Whether an earlier call of the same client, which asks for all of them, has to find out by looking. */
    private static boolean isBehindUnknowing(Call call, List<Call> open, long now) {
        for (Call other : open) {
            if (other == call) {
                return false;
            }
            if (other.client == call.client
                    && other.lock == call.lock
                    && other.wantsLock()
                    && other.unknowingUntilNanos == now) {
                return true;
            }
        }
        return false;
    }

    private void look(Call call, long now, long freeSince, long disturbedUntil, boolean unknowing) {
        if (!call.client.isRunning() || call.client.isClosed() || call.waitNanos == 0) {
            return;
        }
        long calm = disturbedUntil + AFTERMATH_NANOS;
        long since = Math.max(Math.max(call.startNanos, freeSince), Math.min(calm, now));
        if (unknowing) {
            call.unknowingUntilNanos = now;
        }
        boolean prompt = !unknowing && call.startNanos >= calm;
        if (prompt) {
            since = Math.max(since, Math.max(call.unknowingUntilNanos, call.client.listeningSinceNanos()));
        }
        long bound = prompt ? promptNanos : POLL_NANOS;
        if (now - since > bound) {
            complaints.broken(
                    "NLW", call + ": waits though the lock has been free for " + (now - freeSince) / 1_000_000 + " ms");
        }
    }

    /** Whether a call may be about to look at a lock that has become free without a word. */
    boolean mayBeAboutToLook(Call call, long now) {
        return call.wantsLock()
                && call.unknowingUntilNanos >= now - 2 * PERIOD_NANOS
                && now - freeSinceNanos[call.lock] <= POLL_NANOS;
    }
}
