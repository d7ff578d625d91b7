package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.ServerRun;
import org.jspecify.annotations.Nullable;

/**
 * What one client knows of the runs of one node, and of the marker that it saw there (rule 36). The monitor of its
 * {@link RestartGuard} guards it.
 */
final class NodeMemory {

    final Store store;

    /** The run that is judged: the latest one that was seen. */
    private ServerRun run = ServerRun.UNKNOWN;

    /** When that run began, at the latest. */
    private long bornNanos;

    private long firstSeenNanos;
    private boolean sawEarlierRun;
    private boolean connectionLost;
    private long lostNanos;

    /** Whether the marker of this run is known, if only to be unreadable. */
    private boolean looked;

    private @Nullable String marker;
    private boolean hadWord;

    private boolean foundOld;
    private boolean foundMarked;

    /** The marker that the latest run which counted had. */
    private @Nullable String remembered;

    /** Whether that run kept an append-only file, and every one that was seen after it. */
    private boolean rememberedAppendOnly;

    /** Whether what this run says counts. */
    private boolean counts;

    /** The run of which all is known and which counts: all that a round has to look at. */
    volatile String settledRun = "";

    /** Whether the marker is being read or set. */
    boolean isAsked;

    NodeMemory(Store store) {
        this.store = store;
    }

    // --- what it hears ---

    /** Notes that a connection led to this run, and whether that is another one than before. */
    boolean saw(ServerRun seen, long nowNanos) {
        hadWord |= !seen.isKnown();
        if (!seen.isKnown()) {
            return false;
        }
        boolean another = !seen.id().equals(run.id());
        if (another) {
            begin(seen, nowNanos);
        } else {
            // A wall clock that was set makes a process older or younger than it is: the later birth that it has named
            // counts, but none after it was first seen.
            bornNanos = Math.min(firstSeenNanos, latest(bornNanos, seen.upSinceNanos()));
        }
        run = seen;
        connectionLost = false;
        return another;
    }

    private void begin(ServerRun seen, long nowNanos) {
        sawEarlierRun = run.isKnown();
        rememberedAppendOnly &= run.appendOnly();
        firstSeenNanos = nowNanos;
        bornNanos = seen.upSinceNanos();
        if (sawEarlierRun) {
            // No run begins before the one before it has ended.
            bornNanos = latest(bornNanos, connectionLost ? lostNanos : nowNanos);
        }
        looked = false;
        marker = null;
        recount();
    }

    private static long latest(long nanos, long others) {
        return nanos - others > 0 ? nanos : others;
    }

    void connectionLost(long nowNanos) {
        if (!connectionLost) {
            connectionLost = true;
            lostNanos = nowNanos;
        }
    }

    /** An attempt to connect has failed, or a look at the marker had no answer in time: that is word of the node too. */
    void unreachable() {
        hadWord = true;
    }

    /** The marker of this run is known: null where there is none, or none that can be read. */
    void marked(@Nullable String present) {
        looked = true;
        hadWord = true;
        marker = present;
        foundMarked |= !sawEarlierRun && isMarkedByAnEarlierRun();
        remember();
    }

    /** The first run that this client has seen was old then. */
    void foundOld() {
        foundOld = true;
    }

    /** What this run says counts from now on. */
    void count() {
        counts = true;
        remember();
    }

    /** Whether it counts has to be found out again. */
    void recount() {
        counts = false;
        settledRun = "";
    }

    private void remember() {
        if (counts && marker != null) {
            remembered = marker;
            rememberedAppendOnly = run.appendOnly();
            settledRun = run.id();
        }
    }

    // --- what it knows ---

    boolean isSeen() {
        return run.isKnown();
    }

    boolean isRun(ServerRun other) {
        return run.id().equals(other.id());
    }

    boolean counts() {
        return counts;
    }

    boolean sawEarlierRun() {
        return sawEarlierRun;
    }

    boolean hasLooked() {
        return looked;
    }

    /** Whether this client saw an earlier run, and knows that this one does not remember all of it. */
    boolean hasForgotten() {
        return sawEarlierRun && looked && !remembers();
    }

    boolean wantsMarker() {
        return counts && looked && marker == null;
    }

    /** Whether the node has answered, or its first attempt to connect has failed. */
    boolean hadWord() {
        return hadWord;
    }

    long upNanos(long nowNanos) {
        return nowNanos - bornNanos;
    }

    /** Whether this run remembers all that the run before it knew, as far as this client can tell. */
    boolean remembers() {
        return sawEarlierRun
                ? rememberedAppendOnly && run.appendOnly() && marker != null && marker.equals(remembered)
                : run.appendOnly() && isMarkedByAnEarlierRun();
    }

    private boolean isMarkedByAnEarlierRun() {
        return marker != null && !marker.equals(run.id());
    }

    /** Whether the first run that this client has seen had the marker of an earlier one. */
    boolean isFoundMarked() {
        return foundMarked;
    }

    /** Whether the first run that this client has seen was old then, and began so much earlier than another node's. */
    boolean isFoundOlderThan(NodeMemory other, long nanos) {
        return foundOld && other.bornNanos - bornNanos > nanos;
    }
}
