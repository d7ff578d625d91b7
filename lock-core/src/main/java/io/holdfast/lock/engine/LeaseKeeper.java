package io.holdfast.lock.engine;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watchdog: renews the holds that want it and notices when the validity of any hold has passed.
 *
 * <p>The leases of all holds, one for each store that has granted it, stand in one heap, by the time at which each is to
 * be looked at: a watched one every third of its length, any of them when the hold's validity ends. One alarm serves the
 * earliest. Leases that are due go into the lane of their shard; each lane has one batch in flight, so that lanes never
 * wait for each other and a server is never flooded.
 *
 * <p>A batch that fails is repeated with backoff while its holds are valid. An answer is applied only to holds that are
 * still valid when it arrives (rule 15): the clock is asked first.
 *
 * <p>Everything that is not noted otherwise runs within the keeper's own gate.
 */
final class LeaseKeeper {

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    /** Holds in one script call: few enough that the server, at some microseconds for each, is not held up for long. */
    private static final int BATCH = 100;
    /** The same where a lane would not get through: a server that is far away answers few calls, long or short. */
    private static final int LARGE_BATCH = 500;
    /** A lane shall get through what waits in it within this part of a period. */
    private static final int THROUGH_PART = 8;
    /** Renewals that are due within this part of a period go together. */
    private static final int TOGETHER_PART = 50;
    /** Renewals come up to this part of a period early, so that those that began together spread out. */
    private static final int SPREAD_PART = 8;
    /** A lease that raises nothing: the batch only asks whether the hold is still known. */
    private static final long JUST_ASK_MILLIS = 1;

    private final Engine engine;
    private final Runtime runtime;
    private final SerialGate gate;
    private final DueHeap heap = new DueHeap();
    private final Map<Object, Lane> lanes = new LinkedHashMap<>();
    private final LogLimit deadThreads;
    private final Alarm alarm;

    LeaseKeeper(Engine engine) {
        this.engine = engine;
        this.runtime = engine.runtime();
        this.gate = new SerialGate(runtime.steps());
        this.deadThreads = new LogLimit(runtime);
        this.alarm = new Alarm(runtime, gate, this::onAlarm);
    }

    // --- from any thread ---

    /** Begins to look after a hold. */
    void watch(Hold hold) {
        gate.run(LeaseKeeper::addAll, this, hold);
    }

    private void addAll(Hold hold) {
        for (int i = 0; i < hold.leases.size(); i++) {
            StoreLease lease = hold.leases.get(i);
            add(lease, beginning(lease));
        }
        setAlarm();
    }

    /** A store has granted its lease after the hold had begun. */
    void joined(StoreLease lease) {
        gate.run(() -> {
            add(lease, beginning(lease));
            setAlarm();
        });
    }

    private void add(StoreLease lease, long fromNanos) {
        if (lease.isGranted() && !heap.contains(lease) && lease.hold().isAlive()) {
            lease.renewAtNanos = nextRenewal(lease.hold(), fromNanos);
            schedule(lease, runtime.nanos());
        }
    }

    /** When a lease began: with its request, of which the answer may have been long on its way. */
    private static long beginning(StoreLease lease) {
        return lease.askedNanos(lease.hold().longestLeaseMillis());
    }

    /** Stops looking after a hold, before its release is sent. */
    void unwatch(Hold hold) {
        gate.run(LeaseKeeper::removeAll, this, hold);
    }

    private void removeAll(Hold hold) {
        for (int i = 0; i < hold.leases.size(); i++) {
            StoreLease lease = hold.leases.get(i);
            heap.remove(lease);
        }
    }

    /** The hold's validity, or whether it is watched, has changed. */
    void changed(Hold hold) {
        gate.run(() -> {
            long now = runtime.nanos();
            for (int i = 0; i < hold.leases.size(); i++) {
                StoreLease lease = hold.leases.get(i);
                // The time of the next renewal stands: a short extension must not put it off.
                if (heap.contains(lease)) {
                    schedule(lease, now);
                }
            }
            setAlarm();
        });
    }

    /** A store is back: all its leases are looked at now, the fixed ones too, for it may have forgotten them. */
    void askAll(Store store) {
        gate.run(() -> {
            List<StoreLease> all = new ArrayList<>(heap.size());
            for (int i = 0; i < heap.size(); i++) {
                all.add(heap.at(i));
            }
            long now = runtime.nanos();
            for (StoreLease lease : all) {
                if (lease.store == store && !lease.renewing) {
                    intoLane(lease);
                    schedule(lease, now);
                }
            }
            setAlarm();
            pumpAll();
        });
    }

    void close() {
        gate.run(() -> {
            alarm.cancel();
            lanes.clear();
        });
    }

    // --- time ---

    private void schedule(StoreLease lease, long now) {
        Hold hold = lease.hold();
        long validUntilNanos = hold.validUntilNanos(now);
        boolean renewalFirst = hold.isWatched() && !lease.renewing && lease.renewAtNanos - validUntilNanos < 0;
        heap.put(lease, renewalFirst ? lease.renewAtNanos : validUntilNanos);
    }

    private long nextRenewal(Hold hold, long fromNanos) {
        long period = periodNanos(hold);
        return fromNanos + period - runtime.random(period / SPREAD_PART + 1);
    }

    private static long periodNanos(Hold hold) {
        return TimeUnit.MILLISECONDS.toNanos(hold.watchedLeaseMillis()) / 3;
    }

    private void setAlarm() {
        if (heap.first() != null && !engine.isClosed()) {
            alarm.setFor(heap.firstDueNanos());
        }
    }

    private void onAlarm() {
        long now = runtime.nanos();
        for (StoreLease lease = heap.first(); lease != null; lease = heap.first()) {
            if (!lease.hold().isAlive(now) || !lease.isGranted()) {
                heap.remove(lease);
            } else if (isRenewalDue(lease, now)) {
                intoLane(lease);
                schedule(lease, now);
            } else if (heap.firstDueNanos() - now <= 0) {
                schedule(lease, now);
            } else {
                break;
            }
        }
        setAlarm();
        pumpAll();
    }

    private boolean isRenewalDue(StoreLease lease, long now) {
        Hold hold = lease.hold();
        return hold.isWatched() && !lease.renewing && lease.renewAtNanos - now <= periodNanos(hold) / TOGETHER_PART;
    }

    // --- batches ---

    /** The leases of one shard that wait for a renewal, and the batch that is in flight. */
    private static final class Lane {

        private final Store store;
        private final ArrayDeque<StoreLease> ready = new ArrayDeque<>();
        private boolean inFlight;
        /** How long the last batch was under way. */
        private long answerNanos;

        Lane(Store store) {
            this.store = store;
        }
    }

    private void intoLane(StoreLease lease) {
        lease.renewing = true;
        Object shard = lease.store.backend().shard(names(lease).slot);
        lanes.computeIfAbsent(shard, first -> new Lane(lease.store)).ready.add(lease);
    }

    private static LockNames names(StoreLease lease) {
        return lease.hold().cell.names.at(lease.store);
    }

    private void pumpAll() {
        for (Lane lane : List.copyOf(lanes.values())) {
            pump(lane);
        }
    }

    private void pump(Lane lane) {
        if (lane.inFlight || lane.ready.isEmpty() || engine.isClosed()) {
            return;
        }
        long now = runtime.nanos();
        int most = Math.min(batch(lane), lane.ready.size());
        List<StoreLease> leases = new ArrayList<>(most);
        long[] millis = new long[most];
        while (leases.size() < most) {
            StoreLease lease = lane.ready.poll();
            if (lease == null) {
                break;
            }
            if (heap.contains(lease) && lease.isGranted() && lease.hold().isAlive(now)) {
                millis[leases.size()] = leaseToAskFor(lease.hold(), now);
                leases.add(lease);
            } else {
                lease.renewing = false;
            }
        }
        if (!leases.isEmpty()) {
            lane.inFlight = true;
            lane.store.backend().send(new Batch(lane, leases, millis, now));
        }
    }

    private static int batch(Lane lane) {
        long throughNanos = lane.ready.size() / BATCH * lane.answerNanos;
        return throughNanos > periodNanos(lane.ready.element().hold()) / THROUGH_PART ? LARGE_BATCH : BATCH;
    }

    /** The lease that a hold is to be raised to; renewal ends here for those that must not go on. */
    private long leaseToAskFor(Hold hold, long now) {
        long renewable = hold.renewableNanos(now);
        long renewableMillis = TimeUnit.NANOSECONDS.toMillis(renewable);
        if (!hold.isWatched()) {
            return hold.isInItsLastLease() ? Math.max(JUST_ASK_MILLIS, renewableMillis) : JUST_ASK_MILLIS;
        }
        String deadThread = hold.deadThread();
        if (deadThread != null) {
            hold.stopWatching(FailureReason.NOT_RENEWED, "thread '" + deadThread + "', which took it, has died");
            if (deadThreads.permits()) {
                Logging.attempt(() -> log.warn(
                        "lock '{}', owner {}: thread '{}', which took it, has died without releasing it;"
                                + " it is no longer renewed",
                        hold.cell.names.name(),
                        hold.ownerText(),
                        deadThread));
            }
            return JUST_ASK_MILLIS;
        }
        if (renewableMillis <= hold.watchedLeaseMillis()) {
            hold.stopWatching(FailureReason.MAX_HOLD, "held as long as maxHold allows");
            renewForTheLastTime(hold);
            return Math.max(JUST_ASK_MILLIS, renewableMillis);
        }
        return hold.watchedLeaseMillis();
    }

    /** All stores hear of the last renewal, each in its lane. */
    private void renewForTheLastTime(Hold hold) {
        for (int i = 0; i < hold.leases.size(); i++) {
            StoreLease lease = hold.leases.get(i);
            if (heap.contains(lease) && !lease.renewing) {
                intoLane(lease);
                gate.run(this::pumpAll);
            }
        }
    }

    /** One renewal of many holds. */
    private final class Batch extends ScriptCall {

        private final Lane lane;
        private final List<StoreLease> leases;
        private final long[] millis;
        private final long sentNanos;

        Batch(Lane lane, List<StoreLease> leases, long[] millis, long sentNanos) {
            super(Scripts.RENEW, names(leases.get(0)).slot, sentNanos + engine.commandNanos());
            this.lane = lane;
            this.leases = leases;
            this.millis = millis;
            this.sentNanos = sentNanos;
        }

        @Override
        public void encode(Args out) {
            for (StoreLease lease : leases) {
                names(lease).writeKey(out);
            }
            for (int i = 0; i < leases.size(); i++) {
                engine.fields().write(leases.get(i).hold().field, out).arg(millis[i]);
            }
        }

        @Override
        public void onOverdue() {
            gate.run(
                    () -> leases.forEach(lease -> doubt(lease, FailureReason.NO_ANSWER, "a renewal was not answered")));
        }

        @Override
        public void onReply(Reply reply) {
            boolean[] known = new boolean[leases.size()];
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
            // Read once for all: the answers were here before, and that is what the validity is compared with (rule
            // 15).
            long now = runtime.nanos();
            for (int i = 0; i < known.length; i++) {
                StoreLease lease = leases.get(i);
                lease.renewing = false;
                if (!heap.contains(lease) || !lease.hold().isAlive(now)) {
                    continue;
                }
                if (known[i]) {
                    applied(lease, millis[i], now);
                } else {
                    heap.remove(lease);
                    lease.hold().forgottenBy(lease, "at a renewal");
                }
            }
            batchEnded();
        }

        private void applied(StoreLease lease, long leaseMillis, long now) {
            Hold hold = lease.hold();
            lease.forgetFailures();
            if (leaseMillis > JUST_ASK_MILLIS) {
                long before = hold.validUntilNanos(now);
                hold.raise(lease, sentNanos, leaseMillis, now);
                if (hold.validUntilNanos(now) - before > 0) {
                    engine.events().renewed(hold, now - sentNanos);
                }
            }
            lease.renewAtNanos = nextRenewal(hold, sentNanos);
            schedule(lease, now);
        }

        private void failed(Fault fault) {
            long now = runtime.nanos();
            for (StoreLease lease : leases) {
                lease.renewing = false;
                if (heap.contains(lease) && lease.hold().isAlive()) {
                    doubt(lease, Failures.reason(fault), fault.kind() + ": " + fault.detail());
                    lease.renewAtNanos = now + Backoff.nanos(lease.countFailure(), runtime);
                    schedule(lease, now);
                }
            }
            batchEnded();
        }

        private void doubt(StoreLease lease, FailureReason reason, String detail) {
            Hold hold = lease.hold();
            if (hold.isWatched() && hold.isAlive()) {
                lease.doubt("the last renewal failed: " + detail);
                engine.events().renewalFailed(hold, runtime.nanos() - sentNanos, reason, detail);
            }
        }

        private void batchEnded() {
            lane.inFlight = false;
            lane.answerNanos = runtime.nanos() - sentNanos;
            setAlarm();
            pump(lane);
        }
    }
}
