package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldKind;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.WaitingCall;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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
                HoldState state = hold.state(now);
                boolean isHeld = state == HoldState.HELD || state == HoldState.UNCERTAIN;
                if (isHeld && hold.isDelivered() && !hold.isReserved()) {
                    into.add(new Held(facts, hold, state, now, timeOfDay));
                }
            }
        }
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
                            waiter.kind(),
                            ++position,
                            Duration.ofNanos(waiter.waitedNanos()),
                            waiter.threadName()));
                }
            }
        }
    }

    /** What never changes of a hold is put into words when it is asked for: a client may hold very many. */
    private static final class Held implements HeldLock {

        private final ClientFacts facts;
        private final LockKeys keys;
        private final Owner owner;
        private final HoldKind kind;
        private final long token;
        private final HoldState state;
        private final long heldNanos;
        private final long validityNanos;
        private final Instant timeOfDay;
        private final @Nullable String threadName;

        Held(ClientFacts facts, Hold hold, HoldState state, long now, Instant timeOfDay) {
            this.facts = facts;
            this.keys = hold.cell.keys;
            this.owner = hold.owner;
            this.kind = hold.kind().holdKind();
            this.token = hold.token;
            this.state = state;
            this.heldNanos = Math.max(0, now - hold.acquiredNanos);
            this.validityNanos = Math.max(0, hold.validUntilNanos(now) - now);
            this.timeOfDay = timeOfDay;
            this.threadName = hold.takingThread == null ? null : hold.takingThread.nameIfAlive();
        }

        @Override
        public String name() {
            return keys.name();
        }

        @Override
        public String owner() {
            return facts.ownerText(owner);
        }

        @Override
        public HoldKind kind() {
            return kind;
        }

        @Override
        public OptionalLong fencingToken() {
            return facts.hasTokens() ? OptionalLong.of(token) : OptionalLong.empty();
        }

        @Override
        public Instant since() {
            return timeOfDay.minusNanos(heldNanos);
        }

        @Override
        public Duration validity() {
            return Duration.ofNanos(validityNanos);
        }

        @Override
        public HoldState state() {
            return state;
        }

        @Override
        public Optional<String> threadName() {
            return Optional.ofNullable(threadName);
        }

        /** On one line, whatever the lock and the thread are called. */
        @Override
        public String toString() {
            return Printable.message("HeldLock[name=" + Printable.of(name()) + ", owner=" + Printable.of(owner())
                    + ", kind=" + kind + ", fencingToken=" + (facts.hasTokens() ? Long.toString(token) : "none")
                    + ", since=" + since()
                    + ", validity=" + Durations.of(validity()) + ", state=" + state + ", threadName="
                    + Printable.of(threadName().orElse("none")) + ']');
        }
    }

    private record Waits(
            String name, String owner, HoldKind kind, int position, Duration waited, Optional<String> threadName)
            implements WaitingCall {

        /** On one line, whatever the lock and the thread are called. */
        @Override
        public String toString() {
            return Printable.message("WaitingCall[name=" + Printable.of(name) + ", owner=" + Printable.of(owner)
                    + ", kind=" + kind + ", position=" + position + ", waited=" + Durations.of(waited) + ", threadName="
                    + Printable.of(threadName.orElse("none")) + ']');
        }
    }
}
