package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.RepeatState.Lock;
import io.holdfast.lock.tests.models.RepeatState.Repeat;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a client repeats at the server that takes another's place, and at the next connection to a server that stood still: one lock, one
 * client that takes it, enters again, hands it over and releases it, and one that takes it in between.
 *
 * <p>Requests are answered at once, but for one that breaks with its connection. No lease ends: what is blocked here is so for a lease.
 */
final class RepeatModel implements Model<RepeatState> {
    static final String HOLDS_STAY = "holds stay";
    static final String LEVELS_STAY = "levels stay";
    static final String NOT_BLOCKED = "not blocked";

    /** How deep a hold is that was entered again at the primary; one deeper where that was at the server that takes its place. */
    private static final int DEEP = 2;

    private static final int DEEP_AT_THE_NEXT = 3;

    private final Set<RepeatRule> rules;
    private final RepeatBounds bounds;

    RepeatModel(Set<RepeatRule> rules, RepeatBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public RepeatState start() {
        return new RepeatState(
                Lock.NONE, Lock.NONE, false, 0, true, Lock.NONE, 0, 0, List.of(), List.of(), 0, 0, bounds.breaks);
    }

    @Override
    public List<Invariant<RepeatState>> invariants() {
        return List.of(
                new Invariant<>(
                        HOLDS_STAY,
                        state -> !state.holds()
                                || state.lock().field() == state.hold().field()),
                new Invariant<>(
                        LEVELS_STAY,
                        state -> state.hold().levels() != DEEP_AT_THE_NEXT
                                || state.lock().levels() == DEEP_AT_THE_NEXT),
                new Invariant<>(NOT_BLOCKED, RepeatModel::isFreeOrHeld));
    }

    /** When nothing is left to be done, the server has a field only if there is a holder. */
    private static boolean isFreeOrHeld(RepeatState state) {
        int field = state.lock().field();
        boolean isSettled = state.connected() && state.repeats().isEmpty() && state.stuck() == 0;
        return !isSettled
                || field == 0
                || field == RepeatState.OTHER
                || field == state.hold().field();
    }

    @Override
    public void steps(RepeatState state, Steps<RepeatState> steps) {
        if (state.connected()) {
            calls(state, steps);
        } else {
            steps.step(reconnected(state), () -> "the client connects again");
        }
        for (Repeat repeat : state.connected() ? state.repeats() : List.<Repeat>of()) {
            List<Repeat> others = new ArrayList<>(state.repeats());
            others.remove(repeat);
            RepeatState after =
                    state.with(repeat.at(state.lock()), state.hold()).repeating(state.done(), List.copyOf(others));
            boolean isRelease = repeat.kind() == Repeat.Kind.RELEASE;
            steps.step(isRelease ? removed(after, repeat.field()) : after, () -> "it repeats " + repeat);
        }
        if (state.stuck() > 0) {
            Lock lock = state.primary().isFree() ? new Lock(state.stuck(), 1) : state.primary();
            steps.step(state.primaryHas(lock), () -> "the primary reads what is in the socket");
        }
        if (bounds.failsOver && !state.promoted()) {
            steps.step(state.promoting(), () -> "the replica is promoted");
        }
        if (state.promoted() && state.server() == 0) {
            steps.step(moved(state), () -> "the client moves there");
        }
        another(state, steps);
    }

    // --- calls ---

    private void calls(RepeatState state, Steps<RepeatState> steps) {
        Lock hold = state.hold();
        if (!state.holds()) {
            if (state.waiting() == 0 && state.fields() < bounds.fields) {
                int field = state.fields() + 1;
                steps.step(state.using(field, field), () -> "a call waits as " + field);
            }
            acquire(state, steps);
            return;
        }
        if (hold.levels() == 1) {
            Lock deeper = new Lock(hold.field(), DEEP + state.server());
            steps.step(state.with(deeper, deeper), () -> "the owner enters again");
            steps.step(released(state), () -> "the owner releases " + hold.field());
            if (state.fields() < bounds.fields) {
                steps.step(handedOver(state), () -> "it is handed over");
            }
        } else {
            Lock lower = new Lock(hold.field(), 1);
            RepeatState lowered = state.with(lower, lower);
            Repeat again = new Repeat(Repeat.Kind.LOWER, hold.field(), 0);
            steps.step(
                    rules.contains(RepeatRule.NO_LEVELS) ? lowered : lowered.doneWith(again),
                    () -> "the owner gives a level back");
        }
    }

    private void acquire(RepeatState state, Steps<RepeatState> steps) {
        if (state.waiting() > 0 && state.lock().isFree()) {
            Lock granted = new Lock(state.waiting(), 1);
            steps.step(state.with(granted, granted).using(state.fields(), 0), () -> "the call that waits has it");
        }
        if (state.fields() == bounds.fields) {
            return;
        }
        int field = rules.contains(RepeatRule.FIELDS_ONCE) ? state.fields() + 1 : 1;
        RepeatState asking = state.using(state.fields() + 1, state.waiting());
        if (state.lock().isFree()) {
            Lock granted = new Lock(field, 1);
            steps.step(asking.with(granted, granted), () -> "a call has it as " + field);
        }
        if (state.breaks() > 0 && state.server() == 0 && state.stuck() == 0) {
            steps.step(asking.broken(field), () -> "the connection breaks with a request for " + field);
        }
    }

    private RepeatState released(RepeatState state) {
        return removed(state.with(Lock.NONE, Lock.NONE), state.hold().field());
    }

    private RepeatState handedOver(RepeatState state) {
        int from = state.hold().field();
        Lock next = new Lock(state.fields() + 1, 1);
        RepeatState after = state.with(next, next).using(next.field(), state.waiting());
        if (!rules.contains(RepeatRule.NO_TRANSFERS)) {
            after = after.doneWith(new Repeat(Repeat.Kind.TRANSFER, from, next.field()));
        }
        return rules.contains(RepeatRule.OLD_FIELDS_TOO) ? removed(after, from) : after;
    }

    private RepeatState removed(RepeatState state, int field) {
        boolean byField = rules.contains(RepeatRule.BY_FIELD);
        Repeat again = new Repeat(byField ? Repeat.Kind.RELEASE : Repeat.Kind.RELEASE_ALL_BELOW, field, 0);
        return state.server() == 0 && rules.contains(RepeatRule.RELEASES_REPEATED) ? state.doneWith(again) : state;
    }

    // --- another connection ---

    private RepeatState reconnected(RepeatState state) {
        int stuck = rules.contains(RepeatRule.BEHIND_THE_FENCE) ? 0 : state.stuck();
        return state.connectedTo(0, stuck).repeating(state.done(), undone(state));
    }

    /** A renewal goes first: it finds whether the hold is known there. What is in a socket of the primary is no matter any more. */
    private RepeatState moved(RepeatState state) {
        List<Repeat> repeats = new ArrayList<>(undone(state));
        repeats.addAll(state.done());
        boolean isKnown = state.hold().field() == state.replica().field();
        RepeatState moved = state.connectedTo(1, 0).repeating(List.of(), List.copyOf(repeats));
        return isKnown ? moved : moved.with(moved.lock(), Lock.NONE);
    }

    private List<Repeat> undone(RepeatState state) {
        List<Repeat> undone = new ArrayList<>(state.repeats());
        if (state.doubtful() > 0 && rules.contains(RepeatRule.UNDONE_AGAIN)) {
            undone.add(new Repeat(Repeat.Kind.RELEASE, state.doubtful(), 0));
        }
        return List.copyOf(undone);
    }

    // --- another client, which is where this one is ---

    private static void another(RepeatState state, Steps<RepeatState> steps) {
        Supplier<String> what = () -> "another client takes it, or gives it back";
        if (state.lock().isFree()) {
            steps.step(state.with(new Lock(RepeatState.OTHER, 1), state.hold()), what);
        } else if (state.lock().field() == RepeatState.OTHER) {
            steps.step(state.with(Lock.NONE, state.hold()), what);
        }
    }
}
