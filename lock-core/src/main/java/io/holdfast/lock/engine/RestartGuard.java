package io.holdfast.lock.engine;

import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
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
 * a node is left out until every lock that it may have forgotten has expired, in two cases: when this client saw an
 * earlier run of it and the marker that every node is given is gone; and when it is young while a majority is older, for
 * clients that saw nothing. A fleet that is young as a whole is let in.
 *
 * <p>An answer counts for the process that gave it: the run that the call was written to is compared.
 */
final class RestartGuard {

    private static final Logger log = LoggerFactory.getLogger(RestartGuard.class);

    /** Servers tell their uptime in whole seconds. */
    private static final long UPTIME_GRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Engine engine;
    private final Runtime runtime;
    private final boolean on;
    private final long longestLeaseMillis;
    private final ServerClocks clocks;
    private final byte[] markerBytes;
    private final Watched[] nodes;

    RestartGuard(Engine engine, QuorumOptions options, ServerClocks clocks, String prefix) {
        this.engine = engine;
        this.runtime = engine.runtime();
        this.on = options.restartGuard();
        this.longestLeaseMillis = options.longestLease().toMillis();
        this.clocks = clocks;
        this.markerBytes = (prefix + ":marker").getBytes(StandardCharsets.UTF_8);
        this.nodes = engine.stores().stream().map(Watched::new).toArray(Watched[]::new);
    }

    /** A node has a connection: if the process behind it is another one than before, it is looked at. */
    void up(Store store, ServerRun run) {
        if (on) {
            nodes[store.index()].up(run);
        }
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
        return on ? nodes[store.index()].reasonToLeaveOut(run) : null;
    }

    /**
     * Whether a node may join a hold that it has not granted: only if this guard is on and knows the process, and that
     * counts now.
     */
    boolean letsJoin(Store store, ServerRun run) {
        return on && run.isKnown() && reasonToLeaveOut(store, run) == null;
    }

    /** How long a node must have been up for all that it may have forgotten to be over. */
    private long requiredNanos() {
        return TimeUnit.MILLISECONDS.toNanos(longestLeaseMillis)
                + Lease.marginNanos(longestLeaseMillis)
                + UPTIME_GRAIN_NANOS
                + clocks.differenceNanos();
    }

    private boolean isOlderThan(Store store, long requiredNanos) {
        ServerRun run = store.backend().run();
        // A node that can't be reached is not known to be young.
        return !run.isKnown() || runtime.nanos() - run.upSinceNanos() >= requiredNanos;
    }

    private boolean majorityIsOlderThan(long requiredNanos) {
        int older = 0;
        for (Watched node : nodes) {
            if (isOlderThan(node.store, requiredNanos)) {
                older++;
            }
        }
        return older >= Leases.majority(nodes.length);
    }

    /** What is known of one node. Any thread; its own monitor guards it. */
    private final class Watched {

        private final Store store;
        private ServerRun seen = ServerRun.UNKNOWN;
        private boolean checking;
        private boolean forgetful;
        private boolean marked;
        private boolean warned;

        Watched(Store store) {
            this.store = store;
        }

        void up(ServerRun run) {
            boolean check;
            synchronized (this) {
                check = notice(run) && checking;
            }
            if (check) {
                send(false);
            }
        }

        /** Whether this run was not known before. */
        private boolean notice(ServerRun run) {
            if (!run.isKnown()) {
                if (!warned) {
                    warned = true;
                    log.warn("{} does not tell its run id: a restart that forgets locks can't be noticed", store);
                }
                return false;
            }
            if (run.id().equals(seen.id())) {
                return false;
            }
            boolean restarted = seen.isKnown();
            seen = run;
            marked = false;
            forgetful = false;
            checking = restarted;
            return true;
        }

        @Nullable
        String reasonToLeaveOut(ServerRun run) {
            if (!run.isKnown()) {
                return null;
            }
            boolean mark = false;
            synchronized (this) {
                if (!seen.isKnown()) {
                    notice(run);
                }
                if (!run.id().equals(seen.id())) {
                    return "it was restarted during the request";
                }
                if (checking) {
                    return "it was restarted, and what it remembers is not known yet";
                }
                long required = requiredNanos();
                long up = runtime.nanos() - run.upSinceNanos();
                if (up < required && (forgetful || majorityIsOlderThan(required))) {
                    return "left out after a restart" + (forgetful ? " that lost its data" : "") + ": up for "
                            + TimeUnit.NANOSECONDS.toMillis(up) + " ms (expected: "
                            + TimeUnit.NANOSECONDS.toMillis(required) + " ms)";
                }
                if (!marked) {
                    marked = true;
                    mark = true;
                }
            }
            if (mark) {
                send(true);
            }
            return null;
        }

        private void send(boolean mark) {
            store.backend().send(new Probe(mark ? Scripts.MARK : Scripts.MARKED));
        }

        private synchronized void answered(ServerRun run, boolean wasMarked) {
            if (checking && run.id().equals(seen.id())) {
                checking = false;
                forgetful = !wasMarked;
                if (forgetful) {
                    log.warn("{} was restarted and has lost its data: left out while locks may be alive", store);
                }
            }
        }

        private void failed(boolean mark, ServerRun run, Fault fault) {
            log.debug("{}: the marker could not be {}: {}", store, mark ? "set" : "read", fault);
            synchronized (this) {
                if (mark) {
                    marked = false;
                    return;
                }
            }
            if (fault.kind() != Fault.Kind.CLOSED) {
                runtime.after(Backoff.nanos(3, runtime), () -> again(run));
            }
        }

        private void again(ServerRun run) {
            boolean stillAsked;
            synchronized (this) {
                stillAsked = checking && (!run.isKnown() || run.id().equals(seen.id()));
            }
            if (stillAsked && !engine.isClosed()) {
                send(false);
            }
        }

        /** Reads or sets the marker. */
        private final class Probe extends ScriptCall {

            private final boolean mark;

            Probe(Script script) {
                super(script, Slots.of(markerBytes), runtime.nanos() + engine.commandNanos());
                this.mark = script == Scripts.MARK;
            }

            @Override
            public void encode(Args out) {
                out.key(markerBytes);
            }

            @Override
            public void onOverdue() {}

            @Override
            public void onReply(Reply reply) {
                if (!mark) {
                    answered(run, reply.integer() == 1);
                }
            }

            @Override
            public void onFault(Fault fault) {
                failed(mark, run, fault);
            }
        }
    }
}
