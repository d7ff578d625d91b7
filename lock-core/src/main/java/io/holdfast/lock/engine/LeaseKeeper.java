package io.holdfast.lock.engine;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.Timer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watchdog: renews the holds that want it and notices when the validity of any hold has passed.
 *
 * <p>All holds stand in one heap, by the time at which each is to be looked at: a watched one every third of its lease,
 * any of them when its validity ends. One timer serves the earliest. Holds that are due go into the lane of their
 * shard; each lane has one batch in flight, so that lanes never wait for each other and a server is never flooded.
 *
 * <p>A batch that fails is repeated with backoff while its holds are valid. An answer is applied only to holds that are
 * still valid when it arrives (rule 15): the clock is asked first.
 *
 * <p>Everything that is not noted otherwise runs within the keeper's own gate.
 */
final class LeaseKeeper {

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    /** Holds in one script call: few enough that the server is not held up for long. */
    private static final int BATCH = 250;
    /** Renewals that are due within this part of a period go together. */
    private static final int TOGETHER_PART = 50;
    /** Renewals come up to this part of a period early, so that those that began together spread out. */
    private static final int SPREAD_PART = 8;
    /** A lease that raises nothing: the batch only asks whether the hold is still known. */
    private static final long JUST_ASK_MILLIS = 1;

    private final Engine engine;
    private final Backend backend;
    private final Runtime runtime;
    private final SerialGate gate;
    private final DueHeap heap = new DueHeap();
    private final Map<Object, Lane> lanes = new LinkedHashMap<>();
    private final LogLimit deadThreads;

    private @Nullable Timer timer;
    private long timerAtNanos;

    LeaseKeeper(Engine engine, Backend backend) {
        this.engine = engine;
        this.backend = backend;
        this.runtime = backend.runtime();
        this.gate = new SerialGate(runtime.callbacks());
        this.deadThreads = new LogLimit(runtime);
    }

    // --- from any thread ---

    /** Begins to look after a hold. */
    void watch(Hold hold) {
        gate.run(() -> {
            hold.renewAtNanos = nextRenewal(hold, hold.acquiredNanos);
            schedule(hold);
            armTimer();
        });
    }

    /** Stops looking after a hold, before its release is sent. */
    void unwatch(Hold hold) {
        gate.run(() -> heap.remove(hold));
    }

    /** The hold's validity, or whether it is watched, has changed. */
    void changed(Hold hold) {
        gate.run(() -> {
            if (heap.contains(hold)) {
                if (!hold.renewing) {
                    hold.renewAtNanos = nextRenewal(hold, runtime.nanos());
                }
                schedule(hold);
                armTimer();
            }
        });
    }

    /** A node is back: every hold is looked at now, those with a fixed lease too, for the node may have forgotten them. */
    void askAll() {
        gate.run(() -> {
            List<Hold> all = new ArrayList<>(heap.size());
            for (int i = 0; i < heap.size(); i++) {
                all.add(heap.at(i));
            }
            for (Hold hold : all) {
                if (!hold.renewing) {
                    intoLane(hold);
                    schedule(hold);
                }
            }
            armTimer();
            lanes.values().forEach(this::pump);
        });
    }

    void close() {
        gate.run(() -> {
            Timer armed = timer;
            if (armed != null) {
                armed.cancel();
                timer = null;
            }
            lanes.clear();
        });
    }

    // --- time ---

    private void schedule(Hold hold) {
        boolean renewalFirst = hold.isWatched() && !hold.renewing && hold.renewAtNanos - hold.validUntilNanos() < 0;
        heap.put(hold, renewalFirst ? hold.renewAtNanos : hold.validUntilNanos());
    }

    private long nextRenewal(Hold hold, long fromNanos) {
        long period = periodNanos(hold);
        return fromNanos + period - runtime.random(period / SPREAD_PART + 1);
    }

    private static long periodNanos(Hold hold) {
        return TimeUnit.MILLISECONDS.toNanos(hold.watchedLeaseMillis()) / 3;
    }

    private void armTimer() {
        Hold first = heap.first();
        if (first == null || engine.isClosed()) {
            return;
        }
        Timer armed = timer;
        if (armed != null) {
            if (timerAtNanos - first.dueNanos <= 0) {
                return;
            }
            armed.cancel();
        }
        timerAtNanos = first.dueNanos;
        timer = runtime.after(Math.max(0, first.dueNanos - runtime.nanos()), () -> gate.run(this::onTimer));
    }

    private void onTimer() {
        timer = null;
        long now = runtime.nanos();
        for (Hold hold = heap.first(); hold != null; hold = heap.first()) {
            if (!hold.isAlive()) {
                heap.remove(hold);
            } else if (isRenewalDue(hold, now)) {
                intoLane(hold);
                schedule(hold);
            } else if (hold.dueNanos - now <= 0) {
                schedule(hold);
            } else {
                break;
            }
        }
        armTimer();
        lanes.values().forEach(this::pump);
    }

    private boolean isRenewalDue(Hold hold, long now) {
        return hold.isWatched() && !hold.renewing && hold.renewAtNanos - now <= periodNanos(hold) / TOGETHER_PART;
    }

    // --- batches ---

    /** The holds of one shard that wait for a renewal, and the batch that is in flight. */
    private static final class Lane {

        private final ArrayDeque<Hold> ready = new ArrayDeque<>();
        private boolean inFlight;
    }

    private void intoLane(Hold hold) {
        hold.renewing = true;
        lanes.computeIfAbsent(backend.shard(hold.cell.names.slot), shard -> new Lane())
                .ready
                .add(hold);
    }

    private void pump(Lane lane) {
        if (lane.inFlight || lane.ready.isEmpty() || engine.isClosed()) {
            return;
        }
        long now = runtime.nanos();
        List<Hold> holds = new ArrayList<>(Math.min(BATCH, lane.ready.size()));
        long[] leases = new long[Math.min(BATCH, lane.ready.size())];
        while (holds.size() < BATCH) {
            Hold hold = lane.ready.poll();
            if (hold == null) {
                break;
            }
            if (heap.contains(hold) && hold.isAlive()) {
                leases[holds.size()] = leaseToAskFor(hold, now);
                holds.add(hold);
            } else {
                hold.renewing = false;
            }
        }
        if (!holds.isEmpty()) {
            lane.inFlight = true;
            backend.send(new Batch(lane, holds, leases, now));
        }
    }

    /** The lease that a hold is to be raised to; renewal ends here for those that must not go on. */
    private long leaseToAskFor(Hold hold, long now) {
        if (!hold.isWatched()) {
            return JUST_ASK_MILLIS;
        }
        String deadThread = hold.deadThread();
        if (deadThread != null) {
            hold.stopWatching(FailureReason.NOT_RENEWED, "thread '" + deadThread + "', which took it, has died");
            if (deadThreads.permits()) {
                log.warn(
                        "lock '{}', owner {}: thread '{}', which took it, has died without releasing it;"
                                + " it is no longer renewed",
                        hold.cell.names.name,
                        hold.ownerText,
                        deadThread);
            }
            return JUST_ASK_MILLIS;
        }
        long renewable = hold.renewableNanos(now);
        long renewableMillis = TimeUnit.NANOSECONDS.toMillis(renewable);
        if (renewableMillis <= hold.watchedLeaseMillis()) {
            hold.stopWatching(FailureReason.MAX_HOLD, "held as long as maxHold allows");
            return Math.max(JUST_ASK_MILLIS, renewableMillis);
        }
        return hold.watchedLeaseMillis();
    }

    /** One renewal of many holds. */
    private final class Batch extends ScriptCall {

        private final Lane lane;
        private final List<Hold> holds;
        private final long[] leases;
        private final long sentNanos;

        Batch(Lane lane, List<Hold> holds, long[] leases, long sentNanos) {
            super(Scripts.RENEW, holds.get(0).cell.names.slot, sentNanos + engine.commandNanos());
            this.lane = lane;
            this.holds = holds;
            this.leases = leases;
            this.sentNanos = sentNanos;
        }

        @Override
        public void encode(Args out) {
            for (Hold hold : holds) {
                out.key(hold.cell.names.keyBytes);
            }
            for (int i = 0; i < holds.size(); i++) {
                out.arg(holds.get(i).field).arg(leases[i]);
            }
        }

        @Override
        public void onOverdue() {
            gate.run(() -> holds.forEach(hold -> doubt(hold, FailureReason.NO_ANSWER, "a renewal was not answered")));
        }

        @Override
        public void onReply(Reply reply) {
            boolean[] known = new boolean[holds.size()];
            for (int i = 0; i < known.length; i++) {
                known[i] = reply.integer(i) == 1;
            }
            gate.run(() -> renewed(known));
        }

        @Override
        public void onFault(Fault fault) {
            gate.run(() -> failed(fault));
        }

        private void renewed(boolean[] known) {
            for (int i = 0; i < known.length; i++) {
                Hold hold = holds.get(i);
                hold.renewing = false;
                if (!heap.contains(hold) || !hold.isAlive()) {
                    continue;
                }
                if (known[i]) {
                    applied(hold, leases[i]);
                } else {
                    hold.lose(FailureReason.KEY_GONE, "the server did not know this hold at a renewal");
                }
            }
            batchEnded();
        }

        private void applied(Hold hold, long leaseMillis) {
            hold.renewalFailures = 0;
            if (leaseMillis > JUST_ASK_MILLIS) {
                hold.raise(sentNanos, leaseMillis);
                engine.events().renewed(hold, runtime.nanos() - sentNanos);
            }
            hold.renewAtNanos = nextRenewal(hold, sentNanos);
            schedule(hold);
        }

        private void failed(Fault fault) {
            long now = runtime.nanos();
            for (Hold hold : holds) {
                hold.renewing = false;
                if (heap.contains(hold) && hold.isAlive()) {
                    doubt(hold, Failures.reason(fault), fault.kind() + ": " + fault.detail());
                    hold.renewAtNanos = now + Backoff.nanos(hold.renewalFailures++, runtime);
                    schedule(hold);
                }
            }
            batchEnded();
        }

        private void doubt(Hold hold, FailureReason reason, String detail) {
            if (hold.isWatched() && hold.isAlive()) {
                hold.doubt("the last renewal failed: " + detail);
                engine.events().renewalFailed(hold, runtime.nanos() - sentNanos, reason, detail);
            }
        }

        private void batchEnded() {
            lane.inFlight = false;
            armTimer();
            pump(lane);
        }
    }
}
