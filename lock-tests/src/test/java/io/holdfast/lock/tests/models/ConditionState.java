package io.holdfast.lock.tests.models;

import java.util.List;

/**
 * A fair lock with one condition, the calls that await it, and the owner that signals. A field is a number: {@code 10 * client +}
 * how many the client had before.
 *
 * @param items what the calls wait for: each signal comes with one
 * @param excused signals that a dead client has taken with it
 * @param late copies of requests in sockets that their clients have left
 */
record ConditionState(
        Server server,
        List<Call> calls,
        Signaller signaller,
        List<Copy> late,
        int items,
        int excused,
        boolean dataLost,
        Budget budget) {

    static final int NONE = 0;

    /**
     * What the server stores.
     *
     * @param holder a field; {@link #NONE}: the lock is free
     * @param claimed whether that is a hold, and no reservation
     * @param present the clients, each a bit
     * @param left the calls that have left the condition by themselves
     * @param signals those that are remembered
     */
    record Server(
            int holder,
            boolean claimed,
            List<Integer> queue,
            List<Integer> condition,
            int present,
            List<Integer> left,
            int signals) {

        static final Server EMPTY = new Server(NONE, false, List.of(), List.of(), 0, List.of(), 0);

        Server holder(int field, boolean isClaimed) {
            return new Server(field, isClaimed, queue, condition, present, left, signals);
        }

        Server queue(List<Integer> fields) {
            return new Server(holder, claimed, fields, condition, present, left, signals);
        }

        Server condition(List<Integer> fields) {
            return new Server(holder, claimed, queue, fields, present, left, signals);
        }

        Server present(int clients) {
            return new Server(holder, claimed, queue, condition, clients, left, signals);
        }

        Server left(List<Integer> fields) {
            return new Server(holder, claimed, queue, condition, present, fields, signals);
        }

        Server signals(int remembered) {
            return new Server(holder, claimed, queue, condition, present, left, remembered);
        }

        /** The first in the queue gets a reservation, if the lock is free. */
        Server admitting() {
            return holder != NONE || queue.isEmpty()
                    ? this
                    : queue(Lists.withoutFirst(queue)).holder(queue.get(0), false);
        }

        boolean has(int field) {
            return holder == field || queue.contains(field) || condition.contains(field);
        }
    }

    enum Phase {
        OUTSIDE,
        INSIDE,
        SENT,
        ANSWERED,
        WAITING,
        OVER
    }

    /** What the answer to a request of a call says. */
    enum Answer {
        NOTHING,
        WAITS,
        GRANTED,
        GIVEN_UP,
        GONE
    }

    /**
     * A call that looks for an item under the lock, and awaits the condition if there is none.
     *
     * @param hold the field of its hold, or of that which it gives up
     * @param field under which it awaits
     * @param enters whether its request enters the condition, and gives nothing up: only without the rule that both are one
     * @param maybe whether an earlier copy of a request may have been executed
     * @param tells whether the answer on its way says that it left before any signal
     */
    record Call(
            Phase phase,
            boolean alive,
            int hold,
            int field,
            boolean enters,
            boolean maybe,
            Answer answer,
            boolean tells,
            Fate fate) {

        static final Call NEW =
                new Call(Phase.OUTSIDE, true, NONE, NONE, false, false, Answer.NOTHING, false, Fate.OPEN);

        Call inside(int held) {
            return new Call(Phase.INSIDE, alive, held, NONE, false, false, Answer.NOTHING, false, fate);
        }

        Call awaits(int under) {
            return new Call(Phase.SENT, alive, hold, under, false, false, Answer.NOTHING, false, Fate.OPEN);
        }

        Call sends(boolean isRepeated) {
            return new Call(Phase.SENT, alive, hold, field, enters, maybe || isRepeated, Answer.NOTHING, false, fate);
        }

        Call entering() {
            return new Call(Phase.SENT, alive, hold, field, true, false, Answer.NOTHING, false, fate);
        }

        Call answered(Answer told, boolean hasLeft) {
            return new Call(Phase.ANSWERED, alive, hold, field, enters, maybe, told, hasLeft, fate);
        }

        /** What it gave up is gone: later requests name it in vain. */
        Call waiting() {
            return new Call(Phase.WAITING, alive, NONE, field, false, maybe, Answer.NOTHING, false, fate);
        }

        Call in(Phase next) {
            return new Call(next, alive, hold, field, enters, maybe, Answer.NOTHING, false, fate);
        }

        Call with(Fate next) {
            return new Call(phase, alive, hold, field, enters, maybe, answer, tells, next);
        }

        Call dead() {
            return new Call(phase, false, hold, field, enters, maybe, answer, tells, fate);
        }

        boolean leaves() {
            return fate.leaves();
        }

        boolean believes(int held) {
            return alive && phase == Phase.INSIDE && hold == held;
        }

        /** Whether it goes on under this field. */
        boolean wants(int held) {
            return alive && field == held && (phase == Phase.SENT || phase == Phase.ANSWERED || phase == Phase.WAITING);
        }
    }

    /**
     * What has become of a call that awaits.
     *
     * @param leaves whether its time is over
     * @param left whether an answer has said that it left before any signal
     * @param signalled whether a signal has moved it
     * @param again whether it had lost its place, and has joined the queue anew
     */
    record Fate(boolean leaves, boolean left, boolean signalled, boolean again) {
        static final Fate OPEN = new Fate(false, false, false, false);

        Fate leaving() {
            return new Fate(true, left, signalled, again);
        }

        Fate left(boolean isTold) {
            return new Fate(leaves, left || isTold, signalled, again);
        }

        Fate moved() {
            return new Fate(leaves, left, true, again);
        }

        Fate anew() {
            return new Fate(leaves, left, signalled, true);
        }
    }

    /**
     * The owner that adds items and signals.
     *
     * @param moved how many calls its signal has moved
     */
    record Signaller(Phase phase, int given, int moved) {
        Signaller in(Phase next) {
            return new Signaller(next, given, moved);
        }
    }

    /** A late copy of a call's request, or of the signal with this number. */
    record Copy(int call, int hold, int field, boolean leaves, int signal) {}

    /** What may still happen. */
    record Budget(int reconnects, int timeOuts, int crashes, int absences, int windows, int restarts) {
        Budget oneReconnectLess() {
            return new Budget(reconnects - 1, timeOuts, crashes, absences, windows, restarts);
        }

        Budget oneTimeOutLess() {
            return new Budget(reconnects, timeOuts - 1, crashes, absences, windows, restarts);
        }

        Budget oneCrashLess() {
            return new Budget(reconnects, timeOuts, crashes - 1, absences, windows, restarts);
        }

        Budget oneAbsenceLess() {
            return new Budget(reconnects, timeOuts, crashes, absences - 1, windows, restarts);
        }

        Budget oneWindowLess() {
            return new Budget(reconnects, timeOuts, crashes, absences, windows - 1, restarts);
        }

        Budget oneRestartLess() {
            return new Budget(reconnects, timeOuts, crashes, absences, windows, restarts - 1);
        }
    }

    ConditionState with(Server changed) {
        return new ConditionState(changed, calls, signaller, late, items, excused, dataLost, budget);
    }

    ConditionState with(int call, Call changed) {
        return new ConditionState(
                server, Lists.replaced(calls, call, changed), signaller, late, items, excused, dataLost, budget);
    }

    ConditionState with(Signaller changed) {
        return new ConditionState(server, calls, changed, late, items, excused, dataLost, budget);
    }

    ConditionState with(Budget left) {
        return new ConditionState(server, calls, signaller, late, items, excused, dataLost, left);
    }

    ConditionState late(List<Copy> copies) {
        return new ConditionState(server, calls, signaller, copies, items, excused, dataLost, budget);
    }

    ConditionState items(int number) {
        return new ConditionState(server, calls, signaller, late, number, excused, dataLost, budget);
    }

    ConditionState excusing() {
        return new ConditionState(server, calls, signaller, late, items, excused + 1, dataLost, budget);
    }

    ConditionState withoutData() {
        return new ConditionState(Server.EMPTY, calls, signaller, List.of(), items, excused, true, budget);
    }

    @Override
    public String toString() {
        return String.format(
                "server: holder %d%s, queue %s, condition %s, present %s%ncalls: %s%s%nsignaller: %s of signal %d; %d items",
                server.holder(),
                server.claimed() ? "" : " (reserved)",
                server.queue(),
                server.condition(),
                Integer.toBinaryString(server.present()),
                calls.stream()
                        .map(call -> call.phase() + " under " + call.field() + (call.leaves() ? ", leaves" : "")
                                + (call.alive() ? "" : ", dead"))
                        .toList(),
                late.isEmpty() ? "" : ", late " + late,
                signaller.phase(),
                signaller.given(),
                items);
    }
}
