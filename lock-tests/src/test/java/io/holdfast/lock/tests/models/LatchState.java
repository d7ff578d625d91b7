package io.holdfast.lock.tests.models;

import java.util.List;

/**
 * A latch, the calls that count it down, and one that awaits it.
 *
 * @param late copies of requests in sockets that their clients have left
 * @param opened the generations that have opened, each a bit
 */
record LatchState(
        Latch latch, List<Call> calls, List<Copy> late, Waiter waiter, int minted, int opened, Budget budget) {

    /**
     * What the server stores.
     *
     * @param generation 0: there is no latch
     * @param left how many counts are missing; 0: it is open
     * @param counted the calls that have counted, each a bit
     */
    record Latch(int generation, int left, int line, int counted) {
        static final Latch NONE = new Latch(0, 0, 0, 0);

        boolean isClosed() {
            return left > 0;
        }
    }

    enum Phase {
        IDLE,
        SENT,
        ANSWERED,
        DONE
    }

    /**
     * One call that counts.
     *
     * @param meant the generation in its request; 0: it knows none
     * @param maybe whether an earlier copy of this request may have been applied
     * @param told what the answer tells: the generation
     * @param counted whether it says that the request is done
     * @param effects how often it has counted
     * @param excused whether there was a time during the call in which there was nothing to count
     */
    record Call(Phase phase, int meant, boolean maybe, int told, boolean counted, int effects, boolean excused) {
        static final Call NEW = new Call(Phase.IDLE, 0, false, 0, false, 0, false);

        Call sent(int meant, boolean maybe) {
            return new Call(Phase.SENT, meant, maybe, 0, false, effects, excused);
        }

        Call answered(int told, boolean counted) {
            return new Call(Phase.ANSWERED, meant, maybe, told, counted, effects, excused);
        }

        Call done() {
            return new Call(Phase.DONE, meant, false, 0, false, effects, excused);
        }

        Call withEffect() {
            return new Call(phase, meant, maybe, told, counted, effects + 1, excused);
        }

        Call excused(boolean nothingToCount) {
            boolean goesOn = phase == Phase.SENT || phase == Phase.ANSWERED;
            return nothingToCount && goesOn ? new Call(phase, meant, maybe, told, counted, effects, true) : this;
        }
    }

    /** A request of a call. */
    record Copy(int call, int meant) {}

    enum Stage {
        NEW,
        ASKING,
        HEARING,
        WAITING,
        OPEN,
        LOST
    }

    enum Feed {
        NONE,
        REQUESTED,
        LISTENING
    }

    /**
     * The call that awaits the latch.
     *
     * @param heard what the answer on its way says
     * @param generation that it saw first; 0: none yet
     * @param permit whether to look again after the answer
     * @param news confirmations and messages on their way, of which it makes no difference
     */
    record Waiter(Stage stage, Latch heard, int generation, int line, boolean permit, Feed feed, int news) {
        static final Waiter NEW = new Waiter(Stage.NEW, Latch.NONE, 0, 0, false, Feed.NONE, 0);

        Waiter in(Stage next) {
            return new Waiter(next, Latch.NONE, generation, line, permit, feed, news);
        }

        Waiter asks() {
            return new Waiter(Stage.ASKING, Latch.NONE, generation, line, false, feed, news);
        }

        Waiter hears(Latch seen) {
            return new Waiter(Stage.HEARING, seen, generation, line, permit, feed, news);
        }

        Waiter remembers(Latch seen) {
            return new Waiter(stage, heard, seen.generation(), seen.line(), permit, feed, news);
        }

        Waiter permit(boolean again) {
            return new Waiter(stage, heard, generation, line, again, feed, news);
        }

        Waiter feed(Feed next, int nextNews) {
            return new Waiter(stage, heard, generation, line, permit, next, nextNews);
        }

        boolean isLooking() {
            return stage == Stage.ASKING || stage == Stage.HEARING;
        }

        boolean isOver() {
            return stage == Stage.OPEN || stage == Stage.LOST;
        }
    }

    /** What may still happen. */
    record Budget(int sets, int reconnects, int drops, int restarts, int deletions) {
        Budget oneSetLess() {
            return new Budget(sets - 1, reconnects, drops, restarts, deletions);
        }

        Budget oneReconnectLess() {
            return new Budget(sets, reconnects - 1, drops, restarts, deletions);
        }

        Budget oneDropLess() {
            return new Budget(sets, reconnects, drops - 1, restarts, deletions);
        }

        Budget oneRestartLess() {
            return new Budget(sets, reconnects, drops, restarts - 1, deletions);
        }

        Budget oneDeletionLess() {
            return new Budget(sets, reconnects, drops, restarts, deletions - 1);
        }
    }

    /** The same with another latch; those who count meanwhile are excused while there is nothing to count. */
    LatchState with(Latch next) {
        List<Call> told =
                calls.stream().map(call -> call.excused(!next.isClosed())).toList();
        return new LatchState(next, told, late, waiter, minted, opened, budget);
    }

    LatchState with(int call, Call changed) {
        Call told = changed.excused(!latch.isClosed());
        return new LatchState(latch, Lists.replaced(calls, call, told), late, waiter, minted, opened, budget);
    }

    LatchState with(Waiter changed) {
        return new LatchState(latch, calls, late, changed, minted, opened, budget);
    }

    LatchState with(Budget left) {
        return new LatchState(latch, calls, late, waiter, minted, opened, left);
    }

    LatchState late(List<Copy> copies) {
        return new LatchState(latch, calls, copies, waiter, minted, opened, budget);
    }

    LatchState afterMinting() {
        return new LatchState(latch, calls, late, waiter, minted + 1, opened, budget);
    }

    LatchState afterOpening() {
        return new LatchState(latch, calls, late, waiter, minted, opened | 1 << latch.generation(), budget);
    }

    boolean hasOpened(int generation) {
        return (opened & 1 << generation) != 0;
    }

    @Override
    public String toString() {
        String kept = latch.generation() == 0
                ? "no latch"
                : "generation " + latch.generation() + ", " + latch.left() + " left, line " + latch.line();
        return String.format(
                "server: %s%ncalls: %s%s%nwaiter: %s, saw generation %d of line %d, %s%s",
                kept,
                calls.stream()
                        .map(call -> call.phase() + " for " + call.meant() + ", counted " + call.effects())
                        .toList(),
                late.isEmpty() ? "" : ", late " + late,
                waiter.stage(),
                waiter.generation(),
                waiter.line(),
                waiter.feed(),
                waiter.news() > 0 ? ", news on their way" : "");
    }
}
