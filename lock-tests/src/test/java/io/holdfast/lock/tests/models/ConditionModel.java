package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.ConditionState.Answer;
import io.holdfast.lock.tests.models.ConditionState.Budget;
import io.holdfast.lock.tests.models.ConditionState.Call;
import io.holdfast.lock.tests.models.ConditionState.Copy;
import io.holdfast.lock.tests.models.ConditionState.Fate;
import io.holdfast.lock.tests.models.ConditionState.Phase;
import io.holdfast.lock.tests.models.ConditionState.Server;
import io.holdfast.lock.tests.models.ConditionState.Signaller;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Calls that wait for an item under a fair lock with a condition, and an owner that adds items and signals. To come in and to go out
 * are steps that are answered at once, as they are in the models of the lock and its queue; requests of the condition get lost, are
 * repeated, and may be executed late. A call that waits may look at any time.
 */
final class ConditionModel implements Model<ConditionState> {
    static final String ONE_HOLDER = "one holder";
    static final String NO_LOST_WAKE_UP = "no lost wake-up";
    static final String SIGNALS_ONCE = "signals once";
    static final String SIGNAL_TOLD = "signal told";
    static final String LEAVING_TOLD = "leaving told";

    /** Fields of one client. */
    private static final int FIELDS = 10;
    /** A call awaits so often; then it ends without an item. */
    private static final int MOST_FIELDS = 4;
    /** Of a call that has left by itself, and was not told so. */
    private static final Fate LEFT_UNTOLD = Fate.OPEN.leaving();

    /** Of copies. */
    private static final int NO_CALL = -1;

    private final Set<ConditionRule> rules;
    private final ConditionBounds bounds;
    private final int signallersClient;

    ConditionModel(Set<ConditionRule> rules, ConditionBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.signallersClient = bounds.calls;
    }

    @Override
    public ConditionState start() {
        Budget budget = new Budget(
                bounds.reconnects, bounds.timeOuts, bounds.crashes, bounds.absences, bounds.windows, bounds.restarts);
        return new ConditionState(
                Server.EMPTY,
                Collections.nCopies(bounds.calls, Call.NEW),
                new Signaller(Phase.OUTSIDE, 0, 0),
                List.of(),
                0,
                0,
                false,
                budget);
    }

    @Override
    public void steps(ConditionState state, Steps<ConditionState> steps) {
        for (int call = 0; call < state.calls().size(); call++) {
            if (state.calls().get(call).alive()) {
                callSteps(state, call, steps);
            }
            clientSteps(state, call, steps);
        }
        signallerSteps(state, steps);
        for (Copy copy : Set.copyOf(state.late())) {
            List<Copy> others = new ArrayList<>(state.late());
            others.remove(copy);
            ConditionState left = state.late(List.copyOf(others));
            steps.step(
                    copy.call() == NO_CALL
                            ? signal(left, copy.signal())
                            : execute(left, copy.call(), copy.hold(), copy.field(), copy.leaves(), true)
                                    .after(),
                    () -> "server executes a late copy: " + copy);
        }
        serverSteps(state, steps);
    }

    private static int client(int field) {
        return field / FIELDS - 1;
    }

    private static int first(int client) {
        return (client + 1) * FIELDS;
    }

    // Calls that await.

    private void callSteps(ConditionState state, int number, Steps<ConditionState> steps) {
        Call call = state.calls().get(number);
        switch (call.phase()) {
            case OUTSIDE -> {
                if (isFree(state)) {
                    int field = first(number);
                    steps.step(
                            state.with(state.server().holder(field, true)).with(number, call.inside(field)),
                            () -> "call " + number + " has the lock");
                }
            }
            case INSIDE -> steps.step(look(state, number), () -> "call " + number + " looks for an item");
            case SENT -> {
                Executed done = execute(state, number, call.hold(), call.field(), call.leaves(), call.maybe());
                steps.step(
                        done.after()
                                .with(number, done.after().calls().get(number).answered(done.answer(), done.hasLeft())),
                        () -> "server executes the request of call " + number);
                breaks(state, number, steps);
            }
            case ANSWERED -> {
                steps.step(heard(state, number), () -> "call " + number + " hears: " + call.answer());
                breaks(state, number, steps);
            }
            case WAITING -> {
                steps.step(state.with(number, call.sends(false)), () -> "call " + number + " looks");
                if (!call.leaves() && state.budget().timeOuts() > 0) {
                    steps.step(
                            timeIsOver(state.with(state.budget().oneTimeOutLess()), number),
                            () -> "the time of call " + number + " is over");
                }
            }
            case OVER -> {}
        }
    }

    private static boolean isFree(ConditionState state) {
        return state.server().holder() == ConditionState.NONE
                && state.server().queue().isEmpty();
    }

    /** Takes the item that is there, and goes; ends without one if its time is over; else it awaits. */
    private ConditionState look(ConditionState state, int number) {
        Call call = state.calls().get(number);
        int next = call.hold() + 1;
        if (state.items() > 0) {
            return goOut(state.items(state.items() - 1), number);
        }
        return call.leaves() || next - first(number) >= MOST_FIELDS
                ? goOut(state, number)
                : state.with(number, call.awaits(next));
    }

    private static ConditionState goOut(ConditionState state, int number) {
        Call call = state.calls().get(number);
        Server server = state.server();
        Server after = server.holder() == call.hold()
                ? server.holder(ConditionState.NONE, false).admitting()
                : server;
        return state.with(after).with(number, call.in(Phase.OVER));
    }

    private ConditionState timeIsOver(ConditionState state, int number) {
        Call call = state.calls().get(number);
        if (rules.contains(ConditionRule.LEAVING_QUEUES)) {
            return state.with(number, call.with(call.fate().leaving()).sends(false));
        }
        Server server = without(state.server(), call.field());
        return state.with(server).with(number, call.in(Phase.OVER));
    }

    private static Server without(Server server, int field) {
        Server gone = server.queue(others(server.queue(), field)).condition(others(server.condition(), field));
        return gone.holder() == field ? gone.holder(ConditionState.NONE, false).admitting() : gone;
    }

    private static List<Integer> others(List<Integer> fields, int field) {
        return fields.stream().filter(each -> each != field).toList();
    }

    /** The connection of a call breaks, and its request is repeated on the next. */
    private void breaks(ConditionState state, int number, Steps<ConditionState> steps) {
        Call call = state.calls().get(number);
        if (state.budget().reconnects() == 0) {
            return;
        }
        ConditionState broken = state.with(state.budget().oneReconnectLess()).with(number, call.sends(true));
        boolean isLeft = call.phase() == Phase.SENT && !bounds.fenced;
        Copy copy = new Copy(number, call.hold(), call.field(), call.leaves(), 0);
        steps.step(
                isLeft ? broken.late(sorted(state.late(), copy)) : broken,
                () -> "the connection of call " + number + " breaks, and it sends its request again");
    }

    private static List<Copy> sorted(List<Copy> copies, Copy more) {
        return Lists.appended(copies, more).stream()
                .sorted(Comparator.comparingInt(Copy::call)
                        .thenComparingInt(Copy::field)
                        .thenComparingInt(Copy::signal))
                .toList();
    }

    private record Executed(ConditionState after, Answer answer, boolean hasLeft) {}

    private Executed execute(ConditionState state, int number, int hold, int field, boolean leaves, boolean maybe) {
        Call call = state.calls().get(number);
        Server server = state.server().present(state.server().present() | 1 << number);
        boolean remembered = rules.contains(ConditionRule.LEAVING_REMEMBERED)
                && server.left().contains(field);
        if (server.holder() == field) {
            return new Executed(state.with(server.holder(field, true)), Answer.GRANTED, leaves && remembered);
        }
        boolean gives = rules.contains(ConditionRule.HOLD_NAMED)
                ? hold != ConditionState.NONE && server.holder() == hold
                : server.holder() != ConditionState.NONE && server.claimed() && client(server.holder()) == number;
        boolean awaits = server.condition().contains(field);
        if (gives) {
            server = server.holder(ConditionState.NONE, false);
        }
        boolean hasLeft = leaves && remembered;
        ConditionState after = state;
        if (gives && !rules.contains(ConditionRule.ONE_STEP)) {
            return new Executed(state.with(server.admitting()), Answer.GIVEN_UP, false);
        }
        if (leaves && (gives || awaits)) {
            server = server.condition(others(server.condition(), field))
                    .queue(Lists.appended(server.queue(), field))
                    .left(Lists.appended(others(server.left(), field), field));
            hasLeft = true;
        } else if (gives || call.enters() && !server.has(field)) {
            server = server.condition(Lists.appended(others(server.condition(), field), field));
        } else if (!server.has(field)) {
            if (!maybe && call.phase() == Phase.SENT && isFirst(call)) {
                return new Executed(state.with(server), Answer.GONE, false);
            }
            if (!rules.contains(ConditionRule.NOWHERE_JOINS)) {
                server = server.condition(Lists.appended(server.condition(), field));
            } else {
                server = server.queue(Lists.appended(server.queue(), field));
                after = call.field() == field
                        ? state.with(number, call.with(call.fate().anew()))
                        : state;
            }
        }
        server = server.admitting();
        boolean granted = server.holder() == field;
        return new Executed(
                after.with(granted ? server.holder(field, true) : server),
                granted ? Answer.GRANTED : Answer.WAITS,
                hasLeft);
    }

    /** Whether no answer has said yet that what it gives up is gone. */
    private static boolean isFirst(Call call) {
        return call.hold() != ConditionState.NONE;
    }

    private ConditionState heard(ConditionState state, int number) {
        Call call = state.calls().get(number);
        boolean left = rules.contains(ConditionRule.SIGNAL_COUNTS) ? call.tells() : call.leaves();
        Call told = call.with(call.fate().left(left));
        return switch (call.answer()) {
            case GRANTED -> state.with(number, told.inside(call.field()));
            case GIVEN_UP -> state.with(number, call.entering());
            case GONE -> state.with(number, call.in(Phase.OVER));
            default -> state.with(number, told.waiting());
        };
    }

    // Clients that die, or are not heard.

    private void clientSteps(ConditionState state, int number, Steps<ConditionState> steps) {
        Call call = state.calls().get(number);
        Server server = state.server();
        if (call.alive() && state.budget().crashes() > 0 && call.phase() != Phase.OVER) {
            boolean takes = call.fate().signalled() || hasBeenMoved(server, call);
            ConditionState dead = state.with(state.budget().oneCrashLess()).with(number, call.dead());
            steps.step(takes ? dead.excusing() : dead, () -> "client " + number + " dies");
        }
        if ((server.present() & 1 << number) != 0) {
            ConditionState absent = state.with(server.present(server.present() & ~(1 << number)));
            if (!call.alive()) {
                steps.step(absent, () -> "the presence of client " + number + " ends");
            } else if (state.budget().absences() > 0) {
                steps.step(
                        absent.with(state.budget().oneAbsenceLess()),
                        () -> "client " + number + " is not heard, and its presence ends");
            }
        }
    }

    private static boolean hasBeenMoved(Server server, Call call) {
        return server.holder() == call.field() || server.queue().contains(call.field());
    }

    // The owner that signals.

    private void signallerSteps(ConditionState state, Steps<ConditionState> steps) {
        Signaller signaller = state.signaller();
        switch (signaller.phase()) {
            case OUTSIDE -> {
                Signaller next = new Signaller(Phase.SENT, signaller.given() + 1, 0);
                if (signaller.given() == bounds.signals) {
                    steps.step(state.with(signaller.in(Phase.OVER)), () -> "the signaller has done");
                } else if (!rules.contains(ConditionRule.HOLDER_SIGNALS)) {
                    steps.step(
                            state.items(state.items() + 1).with(next), () -> "the signaller adds an item, and signals");
                } else if (isFree(state)) {
                    steps.step(
                            state.with(state.server().holder(holdOf(next.given()), true))
                                    .items(state.items() + 1)
                                    .with(next),
                            () -> "the signaller has the lock, adds an item, and signals");
                }
            }
            case SENT -> {
                ConditionState done = signal(state, signaller.given());
                steps.step(done.with(done.signaller().in(Phase.ANSWERED)), () -> "server executes the signal");
                signalBreaks(state, steps);
            }
            case ANSWERED -> {
                Server server = state.server();
                Server after = server.holder() == holdOf(signaller.given())
                        ? server.holder(ConditionState.NONE, false).admitting()
                        : server;
                steps.step(
                        state.with(after).with(new Signaller(Phase.OUTSIDE, signaller.given(), 0)),
                        () -> "the signaller hears, and goes out");
                signalBreaks(state, steps);
            }
            default -> {}
        }
    }

    private int holdOf(int signal) {
        return first(signallersClient) + signal;
    }

    private void signalBreaks(ConditionState state, Steps<ConditionState> steps) {
        Signaller signaller = state.signaller();
        if (state.budget().reconnects() > 0) {
            ConditionState broken =
                    state.with(state.budget().oneReconnectLess()).with(signaller.in(Phase.SENT));
            boolean isLeft = signaller.phase() == Phase.SENT && !bounds.fenced;
            Copy copy = new Copy(NO_CALL, 0, 0, false, signaller.given());
            steps.step(
                    isLeft ? broken.late(sorted(state.late(), copy)) : broken,
                    () -> "the connection of the signaller breaks, and it sends its signal again");
        }
    }

    private ConditionState signal(ConditionState state, int number) {
        Server server = state.server();
        boolean holds = server.holder() == holdOf(number) || !rules.contains(ConditionRule.HOLDER_SIGNALS);
        boolean isNew = (server.signals() & 1 << number) == 0 || !rules.contains(ConditionRule.SIGNAL_ONCE);
        if (!holds || !isNew) {
            return state;
        }
        ConditionState after = state.with(server.signals(server.signals() | 1 << number));
        while (!after.server().condition().isEmpty()) {
            server = after.server();
            int field = server.condition().get(0);
            int client = client(field);
            boolean isPresent = (server.present() & 1 << client) != 0;
            after = after.with(server.condition(Lists.withoutFirst(server.condition())));
            if (isPresent || !rules.contains(ConditionRule.PRESENT)) {
                return moved(after, field, isPresent);
            }
        }
        return after;
    }

    private static ConditionState moved(ConditionState state, int field, boolean isPresent) {
        Server server = state.server();
        Call call = state.calls().get(client(field));
        Signaller signaller = state.signaller();
        ConditionState after = state.with(
                        server.queue(Lists.appended(server.queue(), field)).admitting())
                .with(new Signaller(signaller.phase(), signaller.given(), signaller.moved() + 1));
        if (call.wants(field)) {
            return after.with(client(field), call.with(call.fate().moved()));
        }
        return isPresent && !call.alive() ? after.excusing() : after;
    }

    // The server.

    private void serverSteps(ConditionState state, Steps<ConditionState> steps) {
        Server server = state.server();
        int holder = server.holder();
        int client = client(holder);
        if (holder != ConditionState.NONE && client != signallersClient) {
            Call call = state.calls().get(client);
            ConditionState ended =
                    state.with(server.holder(ConditionState.NONE, false).admitting());
            if (!call.believes(holder) && !call.wants(holder) && !gives(call, holder)) {
                steps.step(ended, () -> "a lease or a claim window of client " + client + " is over");
            } else if (!server.claimed() && state.budget().windows() > 0) {
                steps.step(
                        ended.with(state.budget().oneWindowLess()),
                        () -> "the claim window of client " + client + " is over");
            }
        }
        if (state.budget().restarts() > 0) {
            steps.step(
                    state.with(state.budget().oneRestartLess()).withoutData(),
                    () -> "server restarts without its data");
        }
    }

    /** Whether a request is under way that gives this hold up. */
    private static boolean gives(Call call, int holder) {
        return call.alive() && call.hold() == holder && (call.phase() == Phase.SENT || call.phase() == Phase.ANSWERED);
    }

    @Override
    public List<Invariant<ConditionState>> invariants() {
        return List.of(
                new Invariant<>(ONE_HOLDER, this::hasOneHolder),
                new Invariant<>(SIGNALS_ONCE, state -> state.signaller().moved() <= 1),
                new Invariant<>(SIGNAL_TOLD, state -> state.calls().stream()
                        .noneMatch(call -> call.phase() == Phase.INSIDE
                                && call.fate().left()
                                && call.fate().signalled())),
                new Invariant<>(LEAVING_TOLD, state -> state.calls().stream()
                        .noneMatch(call -> call.phase() == Phase.INSIDE
                                && call.leaves()
                                && call.fate().equals(LEFT_UNTOLD))),
                new Invariant<>(NO_LOST_WAKE_UP, ConditionModel::isAwake));
    }

    /** Of those that hold locally; after a loss of data none is promised. */
    private boolean hasOneHolder(ConditionState state) {
        long holders = state.calls().stream()
                .filter(call -> call.alive() && call.phase() == Phase.INSIDE)
                .count();
        Phase signaller = state.signaller().phase();
        boolean signals = signaller == Phase.SENT || signaller == Phase.ANSWERED;
        boolean holds = signals && rules.contains(ConditionRule.HOLDER_SIGNALS);
        return state.dataLost() || holders == 0 || (holders == 1 && !holds);
    }

    /** Whether something is under way while there is an item, and a call that waits for one in the condition. */
    private static boolean isAwake(ConditionState state) {
        Server server = state.server();
        boolean isQuiet = state.signaller().phase() == Phase.OVER
                && isFree(state)
                && state.late().isEmpty()
                && state.calls().stream()
                        .allMatch(call -> !call.alive() || call.phase() == Phase.OVER || isAwaiting(server, call));
        boolean waits = state.calls().stream().anyMatch(call -> call.alive() && isAwaiting(server, call));
        return !isQuiet || !waits || state.items() <= state.excused();
    }

    /** Whether its looks find it in the condition: one that is nowhere joins the queue when it looks. */
    private static boolean isAwaiting(Server server, Call call) {
        return call.phase() == Phase.WAITING && server.condition().contains(call.field());
    }
}
