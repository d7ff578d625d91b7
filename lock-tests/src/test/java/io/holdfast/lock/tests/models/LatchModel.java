package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.LatchState.Budget;
import io.holdfast.lock.tests.models.LatchState.Call;
import io.holdfast.lock.tests.models.LatchState.Copy;
import io.holdfast.lock.tests.models.LatchState.Feed;
import io.holdfast.lock.tests.models.LatchState.Latch;
import io.holdfast.lock.tests.models.LatchState.Phase;
import io.holdfast.lock.tests.models.LatchState.Stage;
import io.holdfast.lock.tests.models.LatchState.Waiter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A count-down latch that is set again and again. Requests of those who count get lost, are repeated, and may be executed late;
 * there are no polls, so a waiter that only these would wake is forgotten.
 */
final class LatchModel implements Model<LatchState> {
    static final String COUNTS_ONCE = "counts once";
    static final String NO_COUNT_LOST = "no count lost";
    static final String NO_FALSE_OPENING = "no false opening";
    static final String NO_LOST_WAKE_UP = "no lost wake-up";

    private final Set<LatchRule> rules;
    private final LatchBounds bounds;

    LatchModel(Set<LatchRule> rules, LatchBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public LatchState start() {
        Budget budget = new Budget(bounds.sets, bounds.reconnects, bounds.drops, bounds.restarts, bounds.deletions);
        return new LatchState(
                Latch.NONE, Collections.nCopies(bounds.calls, Call.NEW), List.of(), Waiter.NEW, 0, 0, budget);
    }

    @Override
    public void steps(LatchState state, Steps<LatchState> steps) {
        for (int call = 0; call < state.calls().size(); call++) {
            callSteps(state, call, steps);
        }
        for (Copy copy : Set.copyOf(state.late())) {
            List<Copy> others = new ArrayList<>(state.late());
            others.remove(copy);
            steps.step(
                    count(state.late(List.copyOf(others)), copy.call(), copy.meant()),
                    () -> "server executes a late count of call " + copy.call() + " for generation " + copy.meant());
        }
        latchSteps(state, steps);
        waiterSteps(state, steps);
    }

    // Those who count.

    private void callSteps(LatchState state, int number, Steps<LatchState> steps) {
        Call call = state.calls().get(number);
        switch (call.phase()) {
            case IDLE ->
                steps.step(
                        state.with(number, call.sent(0, false)),
                        () -> "call " + number + " begins, and knows no generation");
            case SENT -> {
                steps.step(
                        answer(count(state, number, call.meant()), number, state.latch(), call.meant()),
                        () -> "server executes the count of call " + number + " for generation " + call.meant());
                breaks(state, number, steps);
            }
            case ANSWERED -> {
                steps.step(
                        state.with(number, heard(call)),
                        () -> "call " + number + " hears of generation " + call.told() + ": "
                                + (call.counted() ? "done" : "not done"));
                breaks(state, number, steps);
            }
            case DONE -> {}
        }
    }

    /** The connection of a call breaks, and its request is repeated on the next. */
    private void breaks(LatchState state, int number, Steps<LatchState> steps) {
        Call call = state.calls().get(number);
        if (state.budget().reconnects() == 0) {
            return;
        }
        LatchState broken =
                state.with(state.budget().oneReconnectLess()).with(number, call.sent(call.meant(), call.meant() > 0));
        boolean isLeft = call.phase() == Phase.SENT && !bounds.fenced;
        steps.step(
                isLeft ? broken.late(sorted(state.late(), new Copy(number, call.meant()))) : broken,
                () -> "the connection of call " + number + " breaks, and it sends its request again");
    }

    private static List<Copy> sorted(List<Copy> copies, Copy more) {
        return Lists.appended(copies, more).stream()
                .sorted(Comparator.comparingInt(Copy::call).thenComparingInt(Copy::meant))
                .toList();
    }

    private LatchState count(LatchState state, int number, int meant) {
        Latch latch = state.latch();
        boolean isMeant = meant == latch.generation() || !rules.contains(LatchRule.ONE_GENERATION);
        boolean isNew = (latch.counted() & 1 << number) == 0 || !rules.contains(LatchRule.COUNTED_BY_ID);
        if (meant == 0 || !latch.isClosed() || !isMeant || !isNew) {
            return state;
        }
        Latch counted = new Latch(latch.generation(), latch.left() - 1, latch.line(), latch.counted() | 1 << number);
        LatchState after =
                state.with(counted).with(number, state.calls().get(number).withEffect());
        return counted.isClosed() ? after : tell(after.afterOpening());
    }

    /** The answer goes by the latch as it was before. */
    private LatchState answer(LatchState after, int number, Latch before, int meant) {
        boolean isMeant = meant == before.generation() || !rules.contains(LatchRule.ONE_GENERATION);
        boolean done = meant > 0 && before.generation() > 0 && isMeant;
        return after.with(number, after.calls().get(number).answered(before.generation(), done));
    }

    private Call heard(Call call) {
        boolean inDoubt = call.maybe() && rules.contains(LatchRule.DOUBT);
        boolean isDone = call.counted() || call.told() == 0 || inDoubt;
        return isDone || !rules.contains(LatchRule.PRESENT) ? call.done() : call.sent(call.told(), false);
    }

    // The latch.

    private void latchSteps(LatchState state, Steps<LatchState> steps) {
        Latch latch = state.latch();
        Budget left = state.budget();
        if (!latch.isClosed() && left.sets() > 0) {
            int generation = state.minted() + 1;
            int line = latch.generation() == 0 ? generation : latch.line();
            steps.step(
                    state.afterMinting()
                            .with(left.oneSetLess())
                            .with(new Latch(generation, LatchBounds.COUNT, line, 0)),
                    () -> "the latch is set: generation " + generation);
        }
        if (left.restarts() > 0 && latch.generation() > 0) {
            LatchState lost = state.with(left.oneRestartLess()).with(Latch.NONE).late(List.of());
            steps.step(subscribeAgain(lost), () -> "server restarts without its data");
        }
        if (left.deletions() > 0 && latch.generation() > 0) {
            LatchState deleted = state.with(left.oneDeletionLess()).with(Latch.NONE);
            steps.step(rules.contains(LatchRule.DELETION_TOLD) ? tell(deleted) : deleted, () -> "the latch is deleted");
        }
        if (left.drops() > 0 && state.waiter().feed() != Feed.NONE) {
            steps.step(subscribeAgain(state.with(left.oneDropLess())), () -> "the connection for messages is dropped");
        }
    }

    private static LatchState tell(LatchState state) {
        Waiter waiter = state.waiter();
        return waiter.feed() == Feed.LISTENING ? state.with(waiter.feed(Feed.LISTENING, waiter.news() + 1)) : state;
    }

    private static LatchState subscribeAgain(LatchState state) {
        Waiter waiter = state.waiter();
        return waiter.feed() == Feed.NONE ? state : state.with(waiter.feed(Feed.REQUESTED, 0));
    }

    // The waiter.

    private void waiterSteps(LatchState state, Steps<LatchState> steps) {
        Waiter waiter = state.waiter();
        switch (waiter.stage()) {
            case NEW -> steps.step(state.with(waiter.asks()), () -> "the waiter comes, and looks");
            case ASKING -> steps.step(state.with(waiter.hears(state.latch())), () -> "server executes the look");
            case HEARING ->
                steps.step(
                        state.with(judged(waiter)),
                        () -> "the waiter hears of generation " + waiter.heard().generation() + ", "
                                + waiter.heard().left() + " left");
            default -> {}
        }
        if (waiter.isOver()) {
            return;
        }
        if (waiter.feed() == Feed.REQUESTED) {
            boolean looks = rules.contains(LatchRule.CONFIRMATION_LOOKS);
            steps.step(
                    state.with(waiter.feed(Feed.LISTENING, waiter.news() + (looks ? 1 : 0))),
                    () -> "server subscribes");
        }
        if (waiter.news() > 0) {
            Waiter hearing = waiter.feed(waiter.feed(), waiter.news() - 1);
            boolean permits = rules.contains(LatchRule.PERMIT);
            steps.step(
                    state.with(hearing.isLooking() ? permits ? hearing.permit(true) : hearing : hearing.asks()),
                    () -> "the waiter hears a confirmation or a message");
        }
    }

    private Waiter judged(Waiter waiter) {
        Latch seen = waiter.heard();
        if (waiter.generation() == 0) {
            return seen.isClosed()
                    ? goesOn(waiter.remembers(seen))
                    : waiter.remembers(seen).in(Stage.OPEN);
        }
        if (seen.generation() == 0) {
            return waiter.in(rules.contains(LatchRule.GONE) ? Stage.LOST : Stage.OPEN);
        }
        if (seen.line() != waiter.line() && rules.contains(LatchRule.LINE_SEEN)) {
            return waiter.in(Stage.LOST);
        }
        boolean later = seen.generation() > waiter.generation() && rules.contains(LatchRule.GENERATION_SEEN);
        return later || !seen.isClosed() ? waiter.in(Stage.OPEN) : goesOn(waiter);
    }

    private static Waiter goesOn(Waiter waiter) {
        Waiter waits = waiter.permit() ? waiter.asks() : waiter.in(Stage.WAITING);
        return waits.feed() == Feed.NONE ? waits.feed(Feed.REQUESTED, 0) : waits;
    }

    @Override
    public List<Invariant<LatchState>> invariants() {
        return List.of(
                new Invariant<>(COUNTS_ONCE, state -> state.calls().stream().allMatch(call -> call.effects() <= 1)),
                new Invariant<>(NO_COUNT_LOST, state -> state.calls().stream()
                        .allMatch(call -> call.phase() != Phase.DONE || call.effects() > 0 || call.excused())),
                new Invariant<>(NO_FALSE_OPENING, LatchModel::isTold),
                new Invariant<>(NO_LOST_WAKE_UP, LatchModel::isWoken));
    }

    /** Whether a waiter that goes on has seen no latch that it waits for, or one that has opened. */
    private static boolean isTold(LatchState state) {
        Waiter waiter = state.waiter();
        return waiter.stage() != Stage.OPEN || waiter.generation() == 0 || state.hasOpened(waiter.generation());
    }

    /** Whether a waiter whose generation is over has something on its way that wakes it. */
    private static boolean isWoken(LatchState state) {
        Waiter waiter = state.waiter();
        boolean isOver = state.latch().generation() != waiter.generation()
                || !state.latch().isClosed();
        return waiter.stage() != Stage.WAITING || !isOver || waiter.feed() == Feed.REQUESTED || waiter.news() > 0;
    }
}
