package io.holdfast.lock.engine.multi;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockFailure;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Gathering;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.lock.HoldView;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to take several locks: one after the other, in their order, within one wait.
 *
 * <p>Until the last is taken the owner sees none of them. If a member is refused or fails, or the caller gives up, or a
 * member is lost on the way, everything is given back. Where other processes may take them in another order, everything is
 * given back, too, after a while behind others with something in hand ({@link GivingWay}).
 */
final class MultiAcquire {

    /** A fixed lease that is no older than this part of it need not be extended when all are taken. */
    private static final int STILL_FRESH_PART = 20;

    private final MultiLocks.Composed lock;
    private final Owner owner;
    private final MultiLease lease;
    private final long waitNanos;
    private final @Nullable Thread thread;
    private final Pending<Optional<MultiHold>> result;

    private final Runtime runtime;
    private final SerialGate gate;
    private final long startNanos;
    private final MultiTelling telling;
    /** Null if others have the same order for certain. */
    private final @Nullable GivingWay givingWay;

    private List<EngineLock> order;
    /** What was taken of the first in that order. */
    private final List<Taken> taken = new ArrayList<>();

    private @Nullable Member current;

    MultiAcquire(
            MultiLocks.Composed lock,
            Owner owner,
            LeaseTerm lease,
            long waitNanos,
            @Nullable Thread thread,
            Pending<Optional<MultiHold>> result) {
        this.lock = lock;
        this.owner = owner;
        this.lease = new MultiLease(lease);
        this.waitNanos = waitNanos;
        this.thread = thread;
        this.result = result;
        this.runtime = lock.members().get(0).facts.runtime();
        this.gate = new SerialGate(runtime.steps());
        this.telling = new MultiTelling(lock.members(), owner, this.lease, runtime);
        this.startNanos = runtime.nanos();
        this.givingWay = lock.order().isCertain() ? null : new GivingWay(runtime);
        this.order = lock.order().now();
    }

    void start() {
        gate.run(this::takeNext);
    }

    /** The caller has given up; the result is abandoned already. */
    void withdraw() {
        gate.run(() -> {
            Member asked = current;
            if (asked != null) {
                asked.withdraw();
            }
            giveBack();
            telling.refused(FailureReason.WITHDRAWN, "the caller has given up");
        });
    }

    private void takeNext() {
        if (result.isSettled()) {
            giveBack();
        } else if (taken.size() == order.size()) {
            complete();
        } else {
            Member next = new Member(order.get(taken.size()), !taken.isEmpty());
            current = next;
            next.begin();
        }
    }

    /** A member that was taken. */
    private record Taken(EngineLock member, Hold hold) {

        void run(Consumer<HoldOperations> step) {
            hold.cell.run(() -> step.accept(member.operations()));
        }

        HoldView handle() {
            return new HoldView(hold, member.operations());
        }
    }

    /** One member's part. */
    private final class Member extends Pending<Optional<Hold>> {

        private final EngineLock member;
        private final boolean withSomethingInHand;
        private @Nullable Ticket ticket;
        /** Goes off when it has waited long enough. Belongs to the steps of the member's cell. */
        private @Nullable Timer patience;

        Member(EngineLock member, boolean withSomethingInHand) {
            this.member = member;
            this.withSomethingInHand = withSomethingInHand;
        }

        void begin() {
            Owner there = owner.standalone() ? member.facts.newOwner() : owner;
            long now = runtime.nanos();
            long left = waitNanos == Ticket.NEVER ? waitNanos : Math.max(0, waitNanos) - (now - startNanos);
            // A member that is asked when the wait is over has what is left of the call's bound for the answer (rule
            // 20).
            long sinceNanos = Math.min(0, left) + now;
            Ticket asking = new MultiTicket(
                    lock.identity(),
                    member.keys,
                    telling.asks(member, there),
                    there,
                    lease.collecting(member.options),
                    left,
                    owner.standalone() ? null : thread,
                    sinceNanos,
                    this);
            ticket = asking;
            member.calls().acquire(asking);
        }

        /** False if it has ended before. */
        boolean withdraw() {
            Ticket asking = ticket;
            if (!abandon() || asking == null) {
                return false;
            }
            member.calls().withdraw(asking);
            return true;
        }

        @Override
        public void onSettled() {
            Timer set = patience;
            if (set != null) {
                set.cancel();
            }
            gate.run(() -> onEnded(this));
        }

        @Override
        public void onMadeToWait() {
            result.onMadeToWait();
            GivingWay way = givingWay;
            if (way != null && withSomethingInHand && patience == null) {
                patience = runtime.after(way.patienceNanos(), () -> gate.run(() -> giveWay(this)));
            }
        }
    }

    /**
     * A call was behind others for long enough, which may be waiting for what is in hand here. All is given back, and the
     * next try waits for that member with nothing in hand.
     */
    private void giveWay(Member behind) {
        GivingWay way = givingWay;
        if (way != null && behind.withdraw()) {
            giveBack();
            way.gaveWay();
            behind.member.site.firstElsewhere().seen(behind.member.keys, runtime.nanos());
            order = lock.order().now();
            takeNext();
        }
    }

    private void onEnded(Member member) {
        current = null;
        Throwable failure = member.failure();
        if (failure != null) {
            giveBack();
            fail(failure);
            return;
        }
        Optional<Hold> granted = member.value();
        if (granted.isEmpty()) {
            giveBack();
            if (result.complete(Optional.empty())) {
                telling.refused(
                        waitNanos <= 0 ? FailureReason.HELD_BY_ANOTHER : FailureReason.NOT_GRANTED,
                        "lock '" + member.member.keys + "' is held by another owner");
            }
            return;
        }
        taken.add(new Taken(member.member, granted.get()));
        takeNext();
    }

    private void complete() {
        long oldestNanos =
                taken.stream().mapToLong(one -> one.hold().heldNanos()).max().orElse(0);
        if (!lease.isFixed()) {
            handOut();
        } else if (oldestNanos < TimeUnit.MILLISECONDS.toNanos(lease.millis()) / STILL_FRESH_PART) {
            fix();
        } else {
            extendAll();
        }
    }

    private void extendAll() {
        Gathering<Done, Done> gathering = new Gathering<>(taken.size(), all -> Done.DONE, new Pending<>() {
            @Override
            public void onSettled() {
                // A member that could not be extended shows in what is left of it.
                gate.run(MultiAcquire.this::fix);
            }
        });
        for (Taken one : taken) {
            Pending<Done> extended = gathering.one();
            one.run(operations -> operations.extend(one.hold(), lease.millis(), extended));
        }
    }

    /** Ends the renewal that only bridged the collecting. */
    private void fix() {
        Gathering<Done, Done> gathering = new Gathering<>(taken.size(), all -> Done.DONE, new Pending<>() {
            @Override
            public void onSettled() {
                gate.run(MultiAcquire.this::handOut);
            }
        });
        for (Taken one : taken) {
            Pending<Done> fixed = gathering.one();
            one.run(operations -> operations.endWatching(one.hold(), lock.identity(), fixed));
        }
    }

    /** Decides the result, lets the owner see its holds, and wakes the caller, in this order (rule 75). */
    private void handOut() {
        for (Taken one : taken) {
            if (one.hold().hasEnded()) {
                again(one.hold());
                return;
            }
        }
        if (!result.decide(Optional.of(
                new MultiHold(lock, taken.stream().map(Taken::handle).toList())))) {
            giveBack();
            return;
        }
        // Before any of them can end otherwise than by a loss, which waits for this.
        taken.forEach(one -> telling.handedOut(one.member(), one.hold()));
        for (Taken one : taken) {
            Hold hold = one.hold();
            hold.cell.run(() -> hold.giveLevelOf(lock.identity(), lease.isFixed()));
            hold.publish();
        }
        result.onSettled();
    }

    /** A member has ended while others were waited for: all over again, if there is time. */
    private void again(Hold ended) {
        giveBack();
        boolean timeIsLeft = waitNanos == Ticket.NEVER || waitNanos - (runtime.nanos() - startNanos) > 0;
        if (timeIsLeft) {
            takeNext();
        } else {
            fail(whyEnded(ended));
        }
    }

    private void fail(Throwable failure) {
        if (result.fail(failure)) {
            telling.refused(
                    failure instanceof LockFailure known ? known.reason() : FailureReason.HELD_BY_ITSELF,
                    Printable.message(failure.getMessage()));
        }
    }

    private static RuntimeException whyEnded(Hold ended) {
        LockLoss loss = ended.loss();
        return loss == null ? ended.cell.facts.notHeld(ended.cell.keys, ended.owner, null) : Failures.lost(loss);
    }

    private void giveBack() {
        for (int i = taken.size() - 1; i >= 0; i--) {
            Taken one = taken.get(i);
            Pending<Done> over = new Pending<>() {
                @Override
                public void onSettled() {}
            };
            one.run(operations -> operations.release(one.hold(), lock.identity(), over));
        }
        taken.clear();
    }
}
