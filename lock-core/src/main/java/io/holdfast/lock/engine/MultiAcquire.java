package io.holdfast.lock.engine;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Runtime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to take several locks: one after the other, in their order, within one wait.
 *
 * <p>What was taken first must last until the last is taken, however long that is. So a fixed lease is renewed while the
 * others are waited for; then every member gets the full lease, and renewal ends.
 *
 * <p>If a member is refused or fails, or the caller gives up, or a member is lost on the way, everything is given back.
 */
final class MultiAcquire {

    /** A fixed lease that is no older than this part of it need not be extended when all are taken. */
    private static final int STILL_FRESH_PART = 20;

    private final String name;
    private final List<EngineLock> members;
    private final Owner owner;
    private final Lease lease;
    private final long waitNanos;
    private final @Nullable Thread thread;
    private final Pending<Optional<MultiHold>> result;

    private final Runtime runtime;
    private final SerialGate gate;
    private final long startNanos;

    private final List<Hold> taken = new ArrayList<>();
    private @Nullable Member current;

    MultiAcquire(
            String name,
            List<EngineLock> members,
            Owner owner,
            Lease lease,
            long waitNanos,
            @Nullable Thread thread,
            Pending<Optional<MultiHold>> result) {
        this.name = name;
        this.members = members;
        this.owner = owner;
        this.lease = lease;
        this.waitNanos = waitNanos;
        this.thread = thread;
        this.result = result;
        this.runtime = members.get(0).engine.runtime();
        this.gate = new SerialGate(runtime.steps());
        this.startNanos = runtime.nanos();
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
        });
    }

    private void takeNext() {
        if (result.isSettled()) {
            giveBack();
        } else if (taken.size() == members.size()) {
            complete();
        } else {
            Member next = new Member(members.get(taken.size()));
            current = next;
            next.begin();
        }
    }

    /** One member's part. */
    private final class Member extends Pending<Optional<Hold>> {

        private final EngineLock lock;
        private @Nullable Ticket ticket;

        Member(EngineLock lock) {
            this.lock = lock;
        }

        void begin() {
            Engine engine = lock.engine;
            Owner there = owner.handle() ? engine.newHandle() : owner;
            long now = runtime.nanos();
            long left = waitNanos == Ticket.NEVER ? waitNanos : Math.max(0, waitNanos) - (now - startNanos);
            // Who is asked when the wait is over has what is left of the call's bound for the answer (rule 20).
            long sinceNanos = Math.min(0, left) + now;
            Ticket asking = new Ticket(
                    there,
                    collecting(lock.options),
                    new Lease(lease.millis(), true),
                    left,
                    owner.handle() ? null : thread,
                    sinceNanos,
                    this);
            ticket = asking;
            engine.cell(lock.names).acquire(asking);
        }

        void withdraw() {
            Ticket asking = ticket;
            if (abandon() && asking != null) {
                lock.engine.cell(lock.names).withdraw(asking);
            }
        }

        @Override
        void onSettled() {
            gate.run(() -> onEnded(this));
        }

        @Override
        void onMadeToWait() {
            result.onMadeToWait();
        }
    }

    /** With the watchdog, the members' own leases; with a fixed lease, that one is what is renewed for now. */
    private LockOptions collecting(LockOptions options) {
        if (lease.watched()) {
            return options;
        }
        Duration fixed = Duration.ofMillis(lease.millis());
        boolean tooShort = fixed.compareTo(LockOptions.MIN_WATCHDOG_LEASE) < 0;
        return LockOptions.builder()
                .keyScheme(options.keyScheme())
                .prefix(options.prefix())
                .listener(options.listener())
                .watchdogLease(tooShort ? LockOptions.MIN_WATCHDOG_LEASE : fixed)
                .build();
    }

    private void onEnded(Member member) {
        current = null;
        Throwable failure = member.failure();
        if (failure != null) {
            giveBack();
            result.fail(failure);
            return;
        }
        Optional<Hold> granted = member.value();
        if (granted.isEmpty()) {
            giveBack();
            result.complete(Optional.empty());
            return;
        }
        taken.add(granted.get());
        takeNext();
    }

    private void complete() {
        long oldestNanos = taken.stream().mapToLong(Hold::heldNanos).max().orElse(0);
        if (lease.watched()) {
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
            void onSettled() {
                // A member that could not be extended shows in what is left of it.
                gate.run(MultiAcquire.this::fix);
            }
        });
        for (Hold hold : taken) {
            Pending<Done> extended = gathering.one();
            hold.cell.run(() -> hold.cell.engine().operations().extend(hold, lease.millis(), extended));
        }
    }

    /** Ends the renewal that only bridged the collecting. */
    private void fix() {
        Gathering<Done, Done> gathering = new Gathering<>(taken.size(), all -> Done.DONE, new Pending<>() {
            @Override
            void onSettled() {
                gate.run(MultiAcquire.this::handOut);
            }
        });
        for (Hold hold : taken) {
            hold.markCollecting(true);
            Pending<Done> fixed = gathering.one();
            hold.cell.run(() -> hold.cell.engine().operations().endWatching(hold, fixed));
        }
    }

    private void handOut() {
        for (Hold hold : taken) {
            LockLoss loss = hold.loss();
            if (loss != null) {
                again(loss);
                return;
            }
        }
        MultiHold all = new MultiHold(name, List.copyOf(taken), members.get(0).engine);
        if (!result.decide(Optional.of(all))) {
            giveBack();
            return;
        }
        taken.forEach(hold -> hold.markCollecting(false));
        result.onSettled();
    }

    /** A member was lost while others were waited for: all over again, if there is time. */
    private void again(LockLoss loss) {
        giveBack();
        boolean timeIsLeft = waitNanos == Ticket.NEVER || waitNanos - (runtime.nanos() - startNanos) > 0;
        if (timeIsLeft) {
            takeNext();
        } else {
            result.fail(Failures.lost(loss));
        }
    }

    private void giveBack() {
        for (int i = taken.size() - 1; i >= 0; i--) {
            Hold hold = taken.get(i);
            hold.cell.run(() -> {
                hold.cell.engine().operations().release(hold, new Unwanted<>());
                hold.markCollecting(false);
            });
        }
        taken.clear();
    }
}
