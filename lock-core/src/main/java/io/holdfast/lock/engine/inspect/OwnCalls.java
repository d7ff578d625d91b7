package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.WaitingCall;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.TakingThread;
import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this client holds and waits for. It is read as it stands, on whichever thread asks, and goes through no lock's gate: so
 * it delays no step, and no step delays it.
 */
public final class OwnCalls {

    private OwnCalls() {}

    /** Adds the holds that their owners know of, and that have not ended. */
    public static void addHolds(ClientFacts facts, Cells cells, List<HeldLock> into) {
        long now = facts.nanos();
        Instant timeOfDay = facts.runtime().timeOfDay();
        for (LockCell cell : cells.all()) {
            Holds holds = cell.holds();
            for (int i = 0; i < holds.size(); i++) {
                Hold hold = holds.get(i);
                if (hold.isDelivered() && !hold.isReserved() && hold.isAlive()) {
                    into.add(held(facts, hold, now, timeOfDay));
                }
            }
        }
    }

    private static Held held(ClientFacts facts, Hold hold, long now, Instant timeOfDay) {
        return new Held(
                hold.cell.keys.name(),
                hold.ownerText(),
                facts.hasTokens() ? OptionalLong.of(hold.token) : OptionalLong.empty(),
                timeOfDay.minusNanos(Math.max(0, now - hold.acquiredNanos)),
                Duration.ofNanos(Math.max(0, hold.validUntilNanos(now) - now)),
                hold.state(),
                Optional.ofNullable(hold.takingThread).map(TakingThread::nameIfAlive));
    }

    /** Adds the calls that wait, those for one lock in their order. */
    public static void addWaiters(ClientFacts facts, Cells cells, List<WaitingCall> into) {
        for (LockCell cell : cells.all()) {
            if (cell.waiters() > 0) {
                int position = 0;
                String name = cell.keys.name();
                for (Waiter waiter : cell.waiting()) {
                    into.add(new Waits(
                            name,
                            facts.ownerText(waiter.owner()),
                            ++position,
                            Duration.ofNanos(waiter.waitedNanos()),
                            waiter.threadName()));
                }
            }
        }
    }

    private record Held(
            String name,
            String owner,
            OptionalLong fencingToken,
            Instant since,
            Duration validity,
            HoldState state,
            Optional<String> threadName)
            implements HeldLock {

        /** On one line, whatever the lock and the thread are called. */
        @Override
        public String toString() {
            return Printable.message("HeldLock[name=" + Printable.of(name) + ", owner=" + Printable.of(owner)
                    + ", fencingToken="
                    + (fencingToken.isPresent() ? Long.toString(fencingToken.getAsLong()) : "none") + ", since="
                    + since + ", validity=" + Durations.of(validity) + ", state=" + state + ", threadName="
                    + Printable.of(threadName.orElse("none")) + ']');
        }
    }

    private record Waits(String name, String owner, int position, Duration waited, Optional<String> threadName)
            implements WaitingCall {

        /** On one line, whatever the lock and the thread are called. */
        @Override
        public String toString() {
            return Printable.message("WaitingCall[name=" + Printable.of(name) + ", owner=" + Printable.of(owner)
                    + ", position=" + position + ", waited=" + Durations.of(waited) + ", threadName="
                    + Printable.of(threadName.orElse("none")) + ']');
        }
    }
}
