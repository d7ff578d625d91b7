package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.call.Alarm;
import io.holdfast.lock.engine.call.Backoff;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.step.FailoverGuard;
import io.holdfast.lock.engine.step.Pass;
import io.holdfast.lock.engine.tell.Events;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The watchdog: renews the holds that want it and notices when the validity of any hold has passed.
 *
 * <p>The leases of all holds, one for each store that has granted it, stand in one heap, by the time at which each is to
 * be looked at: a watched one every third of its length, any of them when the hold's validity ends. One alarm serves the
 * earliest. Leases that are due go into the lane of what keeps them, a store or a node of a cluster; each lane has one round
 * of batches in flight, so that lanes never wait for each other and a server is never flooded ({@link RenewalLane}).
 *
 * <p>A batch that fails is repeated with backoff while its holds are valid. An answer is applied only to holds that are
 * still valid when it arrives (rule 15): the clock is asked first.
 *
 * <p>Everything that is not noted otherwise runs within the watchdog's own gate.
 */
public final class Watchdog {

    /**
     * Leases in one round: few enough that the server, at some microseconds for each, is not held up
     * for long. In a cluster they are up to as many calls, which cost the server half as much again in all, and it may
     * serve others in between.
     */
    private static final int ROUND = 100;
    /** The same where a lane would not get through: a server that is far away answers few rounds, long or short. */
    private static final int LARGE_ROUND = 500;
    /** A lane shall get through what waits in it within this part of a period. */
    private static final int THROUGH_PART = 8;
    /** Renewals that are due within this part of a period go together. */
    private static final int TOGETHER_PART = 50;
    /** Renewals come up to this part of a period early, so that those that began together spread out. */
    private static final int SPREAD_PART = 8;
    /** A lease that raises nothing: the batch only asks whether the hold is still known. */
    private static final long JUST_ASK_MILLIS = 1;

    private final ClientFacts facts;
    private final Events events;
    private final @Nullable FailoverGuard guard;
    private final Runtime runtime;
    private final SerialGate gate;
    private final DueHeap heap =
            new DueHeap((lease, more) -> lease.store.backend().keeps(lease.slot(), more));
    private final RenewalLanes<Batch> lanes = new RenewalLanes<>();

    private final DeadTakers deadTakers;
    private final Alarm alarm;

    /** @param guard what each renewal has to pass; null for none */
    public Watchdog(ClientFacts facts, Events events, @Nullable FailoverGuard guard) {
        this.facts = facts;
        this.events = events;
        this.guard = guard;
        this.runtime = facts.runtime();
        this.gate = new SerialGate(runtime.steps());
        this.deadTakers = new DeadTakers(runtime);
        this.alarm = new Alarm(runtime, gate, this::onAlarm);
    }

    // --- from any thread ---

    /** Begins to look after a hold. */
    public void watch(Hold hold) {
        gate.run(Watchdog::addAll, this, hold);
    }

    private void addAll(Hold hold) {
        for (int i = 0; i < hold.leases.size(); i++) {
            StoreLease lease = hold.leases.get(i);
            add(lease, beginning(lease));
        }
        setAlarm();
    }

    /** A store has granted its lease after the hold had begun. */
    public void joined(StoreLease lease) {
        gate.run(() -> {
            add(lease, beginning(lease));
            setAlarm();
        });
    }

    private void add(StoreLease lease, long fromNanos) {
        if (lease.isGranted() && lease.hold().isAlive()) {
            lease.renewAtNanos = heap.contains(lease) ? lease.renewAtNanos : nextRenewal(lease.hold(), fromNanos);
            schedule(lease, runtime.nanos());
        }
    }

    /** When a lease began: with its request, of which the answer may have been long on its way. */
    private static long beginning(StoreLease lease) {
        return lease.askedNanos(lease.hold().longestLeaseMillis());
    }

    /** Stops looking after a hold, before its release is sent. */
    public void unwatch(Hold hold) {
        gate.run(Watchdog::removeAll, this, hold);
    }

    private void removeAll(Hold hold) {
        for (int i = 0; i < hold.leases.size(); i++) {
            heap.remove(hold.leases.get(i));
        }
    }

    /** The hold's validity, or whether it is watched, has changed. */
    public void changed(Hold hold) {
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

    /** A server is back: all its leases are looked at now, the fixed ones too, for it may have forgotten them. */
    public void askAll(Store store, ServerRun run) {
        askAll(store, lease -> run.equals(store.backend().run(lease.slot())));
    }

    /** The same of slots that are at another server now. */
    public void askAll(Store store, BitSet slots) {
        askAll(store, lease -> slots.get(lease.slot()));
    }

    /** All leases of a store are looked at now. */
    public void askAll(Store store) {
        askAll(store, lease -> true);
    }

    private void askAll(Store store, Predicate<StoreLease> concerned) {
        gate.run(() -> {
            List<StoreLease> all = new ArrayList<>(heap.size());
            for (int i = 0; i < heap.size(); i++) {
                all.add(heap.at(i));
            }
            long now = runtime.nanos();
            for (StoreLease lease : all) {
                if (lease.store == store && !lease.renewing && concerned.test(lease)) {
                    intoLane(lease);
                    schedule(lease, now);
                }
            }
            setAlarm();
            pumpAll();
        });
    }

    /** Runs a step when all renewals that wait now for a keeper of locks, and those that join them, have been sent or have failed. */
    public void afterRenewals(Object keeper, Runnable step) {
        gate.run(() -> {
            lanes.behind(keeper, step);
            lanes.proceed();
        });
    }

    /** A store is asked now for a lease that it has granted. */
    public void ask(StoreLease lease) {
        gate.run(() -> {
            long now = runtime.nanos();
            if (heap.contains(lease) && !lease.renewing && lease.isValid(now)) {
                intoLane(lease);
                schedule(lease, now);
                setAlarm();
                pumpAll();
            }
        });
    }

    public void close() {
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
        if (heap.first() != null && !facts.isClosed()) {
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

    private void intoLane(StoreLease lease) {
        lease.renewing = true;
        lanes.of(lease).add(lease);
    }

    private void pumpAll() {
        lanes.all().forEach(this::pump);
    }

    private void pump(RenewalLane<Batch> lane) {
        sendRound(lane);
        lanes.proceed();
    }

    /** Sends the next round of a lane, unless one is in flight. */
    private void sendRound(RenewalLane<Batch> lane) {
        if (lane.isInFlight() || lane.isEmpty() || facts.isClosed()) {
            return;
        }
        long now = runtime.nanos();
        Pass pass = guard == null ? null : guard.forRenewals();
        if (guard != null && pass != null && !pass.isOpen()) {
            Fault obstacle = guard.notVouched();
            for (StoreLease lease = lane.poll(); lease != null; lease = lane.poll()) {
                notRenewed(lease, obstacle, now, now);
            }
            setAlarm();
            return;
        }
        int most = Math.min(round(lane), lane.size());
        for (int taken = 0; taken < most; ) {
            StoreLease lease = lane.poll();
            if (lease == null) {
                break;
            }
            if (heap.contains(lease) && lease.isGranted() && lease.hold().isAlive(now)) {
                intoBatch(lane, lease, leaseToAskFor(lease.hold(), now), now, most, pass);
                taken++;
            } else {
                lease.renewing = false;
            }
        }
        lane.send(now);
    }

    private void intoBatch(
            RenewalLane<Batch> lane, StoreLease lease, long leaseMillis, long now, int most, @Nullable Pass pass) {
        int slot = RenewalCall.keys(lease).slot;
        LockKind kind = lease.hold().kind();
        Object shard = lane.shard(slot);
        Batch batch = lane.batch(shard, kind);
        if (batch == null || batch.leases.size() == Scripts.MOST_FOR_EACH) {
            batch = new Batch(lane, kind, slot, now, lane.hasBatches() ? 1 : most, pass);
            lane.add(shard, kind, batch);
        }
        batch.add(lease, leaseMillis);
    }

    private static int round(RenewalLane<Batch> lane) {
        long throughNanos = lane.size() / ROUND * lane.answerNanos();
        return throughNanos > periodNanos(lane.first().hold()) / THROUGH_PART ? LARGE_ROUND : ROUND;
    }

    /** The lease that a hold is to be raised to; renewal ends here for those that must not go on. */
    private long leaseToAskFor(Hold hold, long now) {
        long renewable = hold.renewableNanos(now);
        long renewableMillis = TimeUnit.NANOSECONDS.toMillis(renewable);
        if (!hold.isWatched()) {
            return hold.isInItsLastLease() ? Math.max(JUST_ASK_MILLIS, renewableMillis) : JUST_ASK_MILLIS;
        }
        if (deadTakers.endRenewal(hold)) {
            return JUST_ASK_MILLIS;
        }
        if (renewableMillis <= hold.watchedLeaseMillis()) {
            hold.stopWatching(LossReason.MAX_HOLD, "held as long as maxHold allows");
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

    /** A renewal has failed, or was not even sent: it is tried again soon. */
    private void notRenewed(StoreLease lease, Fault fault, long sentNanos, long now) {
        lease.renewing = false;
        if (heap.contains(lease) && lease.hold().isAlive()) {
            doubt(lease, Failures.reason(fault), fault.kind() + ": " + fault.detail(), sentNanos);
            lease.renewAtNanos = now + Backoff.nanos(lease.countFailure(), runtime);
            schedule(lease, now);
        }
    }

    private void doubt(StoreLease lease, FailureReason reason, String detail, long sentNanos) {
        Hold hold = lease.hold();
        if (hold.isWatched() && hold.isAlive()) {
            lease.doubt("the last renewal failed: " + detail);
            events.renewalFailed(hold, runtime.nanos() - sentNanos, reason, detail);
        }
    }

    /** One renewal of many holds of one kind, whose keys are in one shard. */
    private final class Batch extends RenewalCall {

        private final RenewalLane<Batch> lane;

        Batch(RenewalLane<Batch> lane, LockKind kind, int slot, long sentNanos, int room, @Nullable Pass pass) {
            super(kind, slot, sentNanos, facts.commandNanos(), facts.fields(), room, pass);
            this.lane = lane;
        }

        @Override
        public void onOverdue() {
            gate.run(() -> leases.forEach(
                    lease -> doubt(lease, FailureReason.NO_ANSWER, "a renewal was not answered", sentNanos)));
        }

        @Override
        void answered(boolean[] known, long restNanos) {
            gate.run(() -> renewed(known, restNanos));
        }

        @Override
        public void onFault(Fault fault) {
            gate.run(() -> {
                if (fault.kind() == Fault.Kind.TRYAGAIN) {
                    split(fault);
                } else {
                    failed(fault);
                }
            });
        }

        /** @param restNanos in how long a renewal may count: 0 if it does */
        private void renewed(boolean[] known, long restNanos) {
            // Read once for all: the answers were here before, which is what the validity is compared with (rule 15).
            long now = runtime.nanos();
            for (int i = 0; i < known.length; i++) {
                StoreLease lease = leases.get(i);
                lease.renewing = false;
                if (!heap.contains(lease) || !lease.hold().isAlive(now)) {
                    continue;
                }
                if (known[i] && restNanos > 0) {
                    knownEarly(lease, millis[i], now, restNanos);
                } else if (known[i]) {
                    applied(lease, millis[i], now);
                } else {
                    heap.remove(lease);
                    lease.hold().forgottenBy(lease, run, "at a renewal");
                    lease.isAnswered();
                }
            }
            batchEnded();
        }

        /** A new primary knows the hold, and nothing counts there yet: the renewal comes when something does (rule 87). */
        private void knownEarly(StoreLease lease, long leaseMillis, long now, long restNanos) {
            if (leaseMillis == JUST_ASK_MILLIS) {
                lease.isAnswered();
            } else {
                doubt(lease, FailureReason.PAUSED, "the primary is new, and no renewal counts there yet", sentNanos);
            }
            lease.hold().leases.confirmed(lease, run, sentNanos);
            lease.renewAtNanos = now + restNanos;
            schedule(lease, now);
        }

        private void applied(StoreLease lease, long leaseMillis, long now) {
            Hold hold = lease.hold();
            lease.forgetFailures();
            if (leaseMillis > JUST_ASK_MILLIS) {
                long before = hold.validUntilNanos(now);
                hold.raise(lease, sentNanos, leaseMillis, now);
                if (hold.validUntilNanos(now) - before > 0) {
                    events.renewed(hold, now - sentNanos);
                }
            } else {
                lease.isAnswered();
            }
            hold.leases.confirmed(lease, run, sentNanos);
            if (lease.isGranted()) {
                lease.renewAtNanos = nextRenewal(hold, sentNanos);
                schedule(lease, now);
            } else {
                heap.remove(lease);
            }
        }

        private void failed(Fault fault) {
            if (fault.kind() == Fault.Kind.CROSSSLOT) {
                lane.sendSlotBySlot();
            }
            long now = runtime.nanos();
            for (StoreLease lease : leases) {
                if (!fault.maybeApplied()) {
                    lease.isAnswered();
                }
                notRenewed(lease, fault, sentNanos, now);
            }
            batchEnded();
        }

        /**
         * The slot is being moved, and its keys are not all at one node: each hold is asked about by itself, and each key of a hold if
         * that is not enough.
         */
        private void split(Fault fault) {
            if (leases.size() > 1) {
                oneByOne();
            } else if (!goesOnKeyByKey(met -> gate.run(() -> failed(met)))) {
                failed(fault);
            }
        }

        private void oneByOne() {
            List<Batch> each = new ArrayList<>();
            for (int i = 0; i < leases.size(); i++) {
                StoreLease lease = leases.get(i);
                lease.isAnswered();
                Batch alone = new Batch(lane, kind, slot, runtime.nanos(), 1, pass());
                alone.add(lease, millis[i]);
                each.add(alone);
            }
            lane.sendInstead(each);
        }

        private void batchEnded() {
            lane.ended(runtime.nanos());
            setAlarm();
            pump(lane);
        }
    }
}
