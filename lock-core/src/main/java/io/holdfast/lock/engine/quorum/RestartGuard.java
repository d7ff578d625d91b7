package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.engine.call.Backoff;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ServerRun;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps nodes that may have forgotten locks out of majorities (rule 36).
 *
 * <p>A node that restarts without its data grants a lock that is still held, and with it a second majority can form. So
 * a node counts when it is old: when every lock that it may have forgotten has expired. A younger one counts only
 *
 * <ul>
 *   <li>if its memory is vouched for: it keeps an append-only file, and its marker is the one that this client saw in the
 *       run before, or, for a client that saw no earlier run, one that an earlier run was given;
 *   <li>for a client that saw no earlier run, if the fleet is new: every node has had its say, none was old, and none had
 *       the marker of an earlier run;
 * </ul>
 *
 * and never while a majority is old.
 *
 * <p>An answer counts for the process that gave it: the run that the call was written to is compared. A run that counts
 * goes on counting, so that nodes of one age do not throw each other out as they grow old one after the other.
 */
public final class RestartGuard {

    private static final Logger log = LoggerFactory.getLogger(RestartGuard.class);

    /** Servers tell their uptime in whole seconds. */
    private static final long UPTIME_GRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Until a marker that could not be set is set again: a server that refuses one is not to be asked by every round. */
    private static final long MARK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Nodes that were started so shortly one after the other are of one age. */
    private static final long SAME_AGE_NANOS = 2 * UPTIME_GRAIN_NANOS;

    private final ClientFacts facts;
    private final Retries retries;
    private final Runtime runtime;
    private final boolean on;
    private final long longestLeaseMillis;
    private final long clockMarginNanos;
    private final ServerClocks clocks;
    private final byte[] marker;
    private final NodeMemory[] nodes;
    private final FirstWords firstWords;

    RestartGuard(ClientFacts facts, Retries retries, QuorumOptions options, ServerClocks clocks) {
        this.facts = facts;
        this.retries = retries;
        this.runtime = facts.runtime();
        this.on = options.restartGuard();
        this.longestLeaseMillis = options.longestLease().toMillis();
        this.clockMarginNanos = options.clockMargin().toNanos();
        this.clocks = clocks;
        this.marker = (facts.options().lockOptions().prefix() + ":marker").getBytes(StandardCharsets.UTF_8);
        this.nodes = facts.stores().stream().map(NodeMemory::new).toArray(NodeMemory[]::new);
        this.firstWords = new FirstWords(runtime, !on);
    }

    // --- what it hears of the nodes ---

    /** A node has a connection: the process behind it is looked at, unless that has happened before. */
    public void up(Store store, ServerRun run) {
        if (on) {
            saw(nodes[store.index()], run);
            goOn();
        }
    }

    /** The connection to a node was lost; a run that follows began no earlier. */
    public void down(Store store) {
        synchronized (this) {
            nodes[store.index()].connectionLost(runtime.nanos());
        }
    }

    /** A node could not be reached, or does not answer. */
    public void unreachable(Store store) {
        synchronized (this) {
            nodes[store.index()].unreachable();
        }
        goOn();
    }

    private synchronized void saw(NodeMemory node, ServerRun run) {
        boolean another = node.saw(run, runtime.nanos());
        if (another && !node.sawEarlierRun() && isOld(node)) {
            node.foundOld();
            recount();
        }
    }

    /** The fleet has turned out not to be new: nodes may have been counted because it seemed to be. */
    private void recount() {
        for (NodeMemory node : nodes) {
            node.recount();
        }
    }

    /** Asks for the markers that are wanted, and lets rounds begin when they need not wait any more. */
    private void goOn() {
        for (NodeMemory node : nodes) {
            Script script = wanted(node);
            if (script != null) {
                node.store.backend().send(new MarkerProbe(facts, this, node, script, marker));
            }
        }
        if (!firstWords.areKnown() && isEnoughKnown()) {
            firstWords.known();
        }
    }

    private synchronized @Nullable Script wanted(NodeMemory node) {
        boolean awaited = firstWords.areAwaited() && !node.hadWord();
        // What an answer says of a run that is not known is of no use, and asking again at once has no end.
        boolean look = !node.hasLooked()
                && (awaited || (node.isSeen() && node.isRun(node.store.backend().run())));
        if (node.isAsked || !(look || node.wantsMarker())) {
            return null;
        }
        node.isAsked = true;
        return look ? Scripts.MARKED : Scripts.MARK;
    }

    /** A node has told its marker; null if it has none. */
    void answered(NodeMemory node, ServerRun run, @Nullable String present) {
        synchronized (this) {
            node.isAsked = false;
            if (!node.isSeen()) {
                saw(node, run);
            }
            if (run.isKnown() && node.isRun(run)) {
                marked(node, present);
            }
        }
        goOn();
        retries.nodeIsBack();
    }

    private void marked(NodeMemory node, @Nullable String present) {
        boolean wasFoundMarked = node.isFoundMarked();
        boolean firstLook = !node.hasLooked();
        node.marked(present);
        if (node.isFoundMarked() && !wasFoundMarked) {
            recount();
        }
        if (firstLook && node.sawEarlierRun() && !node.remembers() && !isOld(node)) {
            log.warn("{} was restarted and may have lost its data: left out while locks may be alive", node.store);
        }
    }

    /** A node did not tell its marker, or did not take one. */
    void failed(NodeMemory node, ServerRun run, Script script, Fault fault) {
        log.debug("{}: the script {} failed: {}", node.store, script.name(), fault);
        boolean hopeless = !fault.kind().isTransient();
        if (script == Scripts.MARKED && hopeless && run.isKnown()) {
            answered(node, run, null);
        } else if (fault.kind() == Fault.Kind.CLOSED || isConnectionLost(fault) || !run.isKnown()) {
            mayBeAsked(node);
        } else {
            long pause = script == Scripts.MARK ? MARK_AGAIN_NANOS : Backoff.nanos(3, runtime);
            runtime.after(pause, () -> {
                mayBeAsked(node);
                goOn();
            });
        }
    }

    /** Whether the next connection brings the next question. */
    private static boolean isConnectionLost(Fault fault) {
        return fault.kind() == Fault.Kind.UNREACHABLE || fault.kind() == Fault.Kind.DISCONNECTED;
    }

    private synchronized void mayBeAsked(NodeMemory node) {
        node.isAsked = false;
    }

    // --- rounds ---

    /**
     * Whether nodes can be judged: there was word of every one, or so many of them count that they are a majority. It
     * stays true.
     */
    boolean knowsEnough() {
        return firstWords.areKnown();
    }

    /** Runs a round when enough is known, or when this time is over. */
    void whenKnown(long nanos, Runnable round) {
        firstWords.await(nanos, round);
        goOn();
    }

    private synchronized boolean isEnoughKnown() {
        int known = 0;
        int counting = 0;
        for (NodeMemory node : nodes) {
            known += node.hadWord() ? 1 : 0;
            counting += node.isSeen() && reason(node) == null ? 1 : 0;
        }
        return known == nodes.length || counting >= HoldLeases.majority(nodes.length);
    }

    /** Why a node does not count now; null if it does. */
    @Nullable
    String reasonToLeaveOut(Store store) {
        return reasonToLeaveOut(store, store.backend().run());
    }

    /** Why what this run of a node says does not count now; null if it does. */
    @Nullable
    String reasonToLeaveOut(Store store, ServerRun run) {
        for (int i = 0; i < store.index() && run.isKnown(); i++) {
            if (run.id().equals(nodes[i].store.backend().run().id())) {
                return "it is the same server as " + nodes[i].store + ", so they are not independent";
            }
        }
        NodeMemory node = nodes[store.index()];
        if (!on || !run.isKnown() || run.id().equals(node.settledRun)) {
            return null;
        }
        String reason = judge(node, run);
        goOn();
        return reason;
    }

    /** In how long a node that is left out for its age counts in any case; negative if it is not. */
    synchronized long quarantineNanos(Store store) {
        NodeMemory node = nodes[store.index()];
        return node.isSeen() && !isOld(node) ? requiredNanos() - node.upNanos(runtime.nanos()) : -1;
    }

    /**
     * Whether a node may join a hold that it has not granted: only if this guard is on and knows the process, and that
     * counts now.
     */
    public boolean letsJoin(Store store, ServerRun run) {
        return on && run.isKnown() && reasonToLeaveOut(store, run) == null;
    }

    private synchronized @Nullable String judge(NodeMemory node, ServerRun run) {
        if (!node.isSeen()) {
            saw(node, run);
        }
        if (!node.isRun(run)) {
            return "it was restarted during the request";
        }
        String reason = reason(node);
        if (reason == null) {
            node.count();
        }
        return reason;
    }

    private @Nullable String reason(NodeMemory node) {
        if (node.counts() || isOld(node)) {
            return null;
        }
        if (isMajorityOld()) {
            return tooYoung(node, node.hasForgotten() ? " that lost its data" : "");
        }
        if (!node.hasLooked()) {
            return (node.sawEarlierRun() ? "it was restarted, and " : "") + "what it remembers is not known yet";
        }
        if (node.remembers()) {
            return null;
        }
        return node.sawEarlierRun() ? tooYoung(node, " that lost its data") : reasonInFleet(node);
    }

    /** Why a young node does not count as one of a new fleet. */
    private @Nullable String reasonInFleet(NodeMemory node) {
        for (NodeMemory other : nodes) {
            if (other.isFoundMarked() || other.isFoundOlderThan(node, SAME_AGE_NANOS)) {
                return tooYoung(node, " that may have lost its data");
            }
        }
        for (NodeMemory other : nodes) {
            if (!other.hadWord()) {
                return "it is not known yet whether the fleet is new: no word from " + other.store;
            }
        }
        return null;
    }

    private String tooYoung(NodeMemory node, String what) {
        return "left out after a restart" + what + ": up for "
                + TimeUnit.NANOSECONDS.toMillis(node.upNanos(runtime.nanos())) + " ms (expected: "
                + TimeUnit.NANOSECONDS.toMillis(requiredNanos()) + " ms)";
    }

    // --- ages ---

    /** How long a node must have been up for all that it may have forgotten to be over. */
    private long requiredNanos() {
        return TimeUnit.MILLISECONDS.toNanos(longestLeaseMillis)
                + LeaseTerm.marginNanos(longestLeaseMillis)
                + UPTIME_GRAIN_NANOS
                + Math.min(clocks.differenceNanos(), clockMarginNanos);
    }

    private boolean isOld(NodeMemory node) {
        return node.upNanos(runtime.nanos()) >= requiredNanos();
    }

    /** A node that has never been reached is not known to be young. */
    private boolean isMajorityOld() {
        int old = 0;
        for (NodeMemory node : nodes) {
            old += !node.isSeen() || isOld(node) ? 1 : 0;
        }
        return old >= HoldLeases.majority(nodes.length);
    }
}
