package io.holdfast.lock.tests.simulation;

import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
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

    private final Complaints complaints;
    private final long promptNanos;
    private long[] freeSinceNanos = new long[0];

    WakeUpChecker(Complaints complaints, boolean quorum, boolean withFaults) {
        this.complaints = complaints;
        long single = withFaults ? PROMPT_NANOS : PROMPT_WITHOUT_FAULTS_NANOS;
        this.promptNanos = quorum ? PROMPT_QUORUM_NANOS : single;
    }

    /**
     * @param heldUntilNanos until when a lock was held, so far as that is known more exactly than by looking
     * @param mayHaveToPoll whether a call's client has no way to know that the lock is free
     */
    void look(
            long now,
            long disturbedUntilNanos,
            long messyUntilNanos,
            List<SimulatedServer> servers,
            List<LuaString> keys,
            List<Call> open,
            IntToLongFunction heldUntilNanos,
            Predicate<Call> mayHaveToPoll) {
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
            freeSinceNanos[lock] = Math.max(freeSinceNanos[lock], heldUntilNanos.applyAsLong(lock));
            for (Call call : open) {
                if (call.lock == lock && call.wantsLock()) {
                    boolean unknowing = mayHaveToPoll.test(call);
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
}
