package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.ChangeoverState.Acquisition;
import io.holdfast.lock.tests.models.ChangeoverState.Answer;
import io.holdfast.lock.tests.models.ChangeoverState.Budget;
import io.holdfast.lock.tests.models.ChangeoverState.Call;
import io.holdfast.lock.tests.models.ChangeoverState.Kind;
import io.holdfast.lock.tests.models.ChangeoverState.Phase;
import io.holdfast.lock.tests.models.ChangeoverState.Route;
import io.holdfast.lock.tests.models.ChangeoverState.Server;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * A slot that changes its primary while calls are under way: moved by an administrator, with its data, or by a failover, with it or
 * without. Calls in a socket are executed at any later time, as by a server that stands still; those of a connection that broke
 * too, until the next one fences it (rule 5). What is not written yet is in no order, so nothing depends on one.
 *
 * <p>A server that was replaced goes on executing until it hears of that, on data that is lost then.
 */
final class ChangeoverModel implements Model<ChangeoverState> {
    static final String NO_ORPHAN = "no orphan";
    static final String NO_CALL_LOST = "no call lost";
    static final String NO_ENDLESS_WAIT = "no endless wait";
    static final String ONE_PLACE = "one place";

    private static final int SERVERS = 2;

    private final Set<ChangeoverRule> rules;
    private final ChangeoverBounds bounds;
    private final Numbering numbering = new Numbering();

    ChangeoverModel(Set<ChangeoverRule> rules, ChangeoverBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public ChangeoverState start() {
        int acquisitions = bounds.acquisitions;
        return new ChangeoverState(
                0,
                List.of(Server.first(true, true, acquisitions), Server.first(false, false, acquisitions)),
                Route.to(0),
                List.of(),
                Collections.nCopies(acquisitions, Acquisition.FIRST),
                Collections.nCopies(acquisitions, false),
                new Budget(bounds.moves, bounds.breaks, bounds.deaths, bounds.rumours, bounds.entries));
    }

    @Override
    public void steps(ChangeoverState state, Steps<ChangeoverState> steps) {
        for (int number = 0; number < bounds.acquisitions; number++) {
            engineSteps(state, number, steps);
        }
        routeSteps(state, steps);
        for (int server = 0; server < SERVERS; server++) {
            connectionSteps(state, server, steps);
            serverSteps(state, server, steps);
        }
        slotSteps(state, steps);
    }

    // What the engine does.

    private void engineSteps(ChangeoverState state, int number, Steps<ChangeoverState> steps) {
        Acquisition self = state.acquisitions().get(number);
        switch (self.phase()) {
            case NEW -> {
                Phase before = number == 0
                        ? Phase.OVER
                        : state.acquisitions().get(number - 1).phase();
                if (before == Phase.OVER || before == Phase.LEAVING) {
                    steps.step(
                            send(state, number, Phase.ASKING),
                            Model.text("the client asks for the lock under %d", number));
                }
            }
            case ASKING -> {
                if (!self.awaits()) {
                    steps.step(send(state, number, Phase.ASKING), Model.text("the client asks again under %d", number));
                }
                steps.step(giveUp(state, number), Model.text("the caller of %d gives up", number));
            }
            case HOLDING -> {
                if (state.budget().entries() > 0) {
                    ChangeoverState less = state.with(state.budget().less(0, 0, 0, 0, 1));
                    steps.step(send(less, number, Phase.ENTERING), Model.text("the owner of %d enters again", number));
                }
                steps.step(send(state, number, Phase.LEAVING), Model.text("the owner of %d releases", number));
            }
            case ENTERING -> {
                if (!self.awaits()) {
                    steps.step(
                            send(state, number, Phase.ENTERING),
                            Model.text("the re-entry of %d is sent again", number));
                }
                steps.step(giveUp(state, number), Model.text("the re-entry of %d is given up, and all of it", number));
            }
            case LEAVING -> {
                if (!self.awaits()) {
                    steps.step(
                            send(state, number, Phase.LEAVING), Model.text("the release of %d is sent again", number));
                }
            }
            case OVER -> {}
        }
    }

    private static ChangeoverState send(ChangeoverState state, int number, Phase next) {
        Acquisition sends = state.acquisitions().get(number).sends(next);
        ChangeoverState sending = state.with(number, sends);
        Kind kind = next == Phase.ASKING ? Kind.ACQUIRE : next == Phase.ENTERING ? Kind.ENTER : Kind.RELEASE;
        return hand(sending, new Call(kind, number, sends.attempt(), false));
    }

    /** Takes an acquire back where it is not written; else a release follows, which may go past what is not written. */
    private ChangeoverState giveUp(ChangeoverState state, int number) {
        Acquisition self = state.acquisitions().get(number);
        ChangeoverState after = self.awaits() ? takeBack(state, number, self) : state;
        boolean isTakenBack = after != state;
        boolean nothingApplied = isTakenBack && self.phase() == Phase.ASKING && !self.doubt();
        return nothingApplied ? after.with(number, self.in(Phase.OVER)) : send(after, number, Phase.LEAVING);
    }

    private ChangeoverState takeBack(ChangeoverState state, int number, Acquisition self) {
        for (Call call : state.waiting()) {
            if (isTakenBack(call, number, self)) {
                return state.waiting(ChangeoverState.without(state.waiting(), call));
            }
        }
        for (int server = 0; server < SERVERS; server++) {
            Server there = state.server(server);
            for (Call call : there.unwritten()) {
                if (isTakenBack(call, number, self)) {
                    return state.with(server, there.unwritten(ChangeoverState.without(there.unwritten(), call)));
                }
            }
        }
        return state;
    }

    private boolean isTakenBack(Call call, int number, Acquisition self) {
        return call.kind() == Kind.ACQUIRE
                && call.number() == number
                && call.attempt() == self.attempt()
                && (!call.redirected() || has(ChangeoverRule.TAKEN_BACK));
    }

    private ChangeoverState hear(ChangeoverState state, Answer answer) {
        Call call = answer.call();
        if (!isWanted(state, call)) {
            return state;
        }
        Acquisition self = state.acquisitions().get(call.number());
        if (call.kind() == Kind.RELEASE) {
            return state.with(call.number(), self.in(Phase.OVER));
        }
        if (answer.yes()) {
            return state.with(call.number(), self.in(Phase.HOLDING));
        }
        return call.kind() == Kind.ACQUIRE
                ? state.with(call.number(), self.in(Phase.OVER))
                : send(state, call.number(), Phase.LEAVING);
    }

    /** Whether the engine still waits for the answer to a call. */
    private static boolean isWanted(ChangeoverState state, Call call) {
        Acquisition self = state.acquisitions().get(call.number());
        return self.awaits() && self.attempt() == call.attempt() && self.kind() == call.kind();
    }

    private static ChangeoverState doubt(ChangeoverState state, Call call) {
        return isWanted(state, call)
                ? state.with(
                        call.number(), state.acquisitions().get(call.number()).unanswered())
                : state;
    }

    // Where calls go.

    private static ChangeoverState hand(ChangeoverState state, Call call) {
        if (state.route().open()) {
            return state.waiting(Lists.appended(state.waiting(), call));
        }
        int server = state.route().to();
        Server there = state.server(server);
        return state.with(server, there.unwritten(ChangeoverState.sorted(Lists.appended(there.unwritten(), call))));
    }

    private void routeSteps(ChangeoverState state, Steps<ChangeoverState> steps) {
        for (int server = 0; server < SERVERS; server++) {
            boolean isOld = server != state.primary();
            if (state.route().to() != server && (!isOld || state.budget().rumours() > 0)) {
                ChangeoverState less = state.with(state.budget().less(0, 0, 0, isOld ? 1 : 0, 0));
                steps.step(
                        learn(less, server),
                        Model.text(
                                "the client reads in %s that the primary is %c",
                                isOld ? "an old map" : "the map", 'A' + server));
            }
        }
        if (mayEnd(state)) {
            steps.step(
                    end(state),
                    Model.text("the changeover to %c ends", 'A' + state.route().to()));
        }
    }

    private ChangeoverState learn(ChangeoverState state, int primary) {
        Route route = state.route();
        if (route.to() == primary) {
            return state;
        }
        if (route.open()) {
            Route next = new Route(route.from(), primary, true, route.spoilt());
            return (has(ChangeoverRule.NEXT_TARGET) ? state : state.waiting(List.of())).with(next);
        }
        Server before = state.server(route.to());
        List<Call> along = new ArrayList<>(has(ChangeoverRule.UNWRITTEN_GOES_ALONG) ? before.unwritten() : List.of());
        if (!has(ChangeoverRule.WRITTEN_STAYS)) {
            along.addAll(before.sent());
        }
        ChangeoverState begun = (has(ChangeoverRule.UNWRITTEN_GOES_ALONG)
                        ? state.with(route.to(), before.unwritten(List.of()))
                        : state)
                .waiting(List.copyOf(along))
                .with(new Route(route.to(), primary, true, false));
        return has(ChangeoverRule.OLD_ONE_ANSWERS) ? begun : end(begun);
    }

    private boolean mayEnd(ChangeoverState state) {
        Route route = state.route();
        Server before = state.server(route.from());
        boolean isLeft =
                !has(ChangeoverRule.UNWRITTEN_GOES_ALONG) && !before.unwritten().isEmpty();
        return route.open() && !before.hasInFlight() && !isLeft && !route.spoilt();
    }

    private static ChangeoverState end(ChangeoverState state) {
        ChangeoverState after =
                state.waiting(List.of()).with(Route.to(state.route().to()));
        for (Call call : state.waiting()) {
            after = hand(after, call);
        }
        return after;
    }

    private ChangeoverState redirect(ChangeoverState state, Answer answer) {
        ChangeoverState wiser = learn(state, answer.target());
        boolean again = isWanted(state, answer.call()) || !has(ChangeoverRule.GIVEN_UP_STAYS);
        return again ? hand(wiser, answer.call().again()) : wiser;
    }

    // Connections.

    private void connectionSteps(ChangeoverState state, int number, Steps<ChangeoverState> steps) {
        Server server = state.server(number);
        if (!server.connected()) {
            if (server.alive() && !server.unwritten().isEmpty()) {
                steps.step(
                        state.with(number, server.connecting()), Model.text("the client connects to %c", 'A' + number));
            }
            return;
        }
        for (Call call : server.unwritten()) {
            steps.step(state.with(number, server.writing(call)), Model.text("%s is written to %c", call, 'A' + number));
        }
        if (!server.answers().isEmpty()) {
            Answer answer = server.answers().get(0);
            ChangeoverState heard = state.with(number, server.heard());
            boolean moved = answer.target() >= 0;
            steps.step(
                    moved ? redirect(heard, answer) : hear(heard, answer),
                    Model.text(
                            "the client hears from %c, for %s: %s",
                            'A' + number,
                            answer.call(),
                            moved ? "MOVED to " + (char) ('A' + answer.target()) : answer.yes() ? "yes" : "no"));
        }
        if (!server.alive() || state.budget().breaks() > 0 && server.hasInFlight()) {
            steps.step(breakConnection(state, number), Model.text("the connection to %c breaks", 'A' + number));
        }
    }

    private ChangeoverState breakConnection(ChangeoverState state, int number) {
        Server server = state.server(number);
        ChangeoverState after =
                state.with(number, server.broken()).with(state.budget().less(0, server.alive() ? 1 : 0, 0, 0, 0));
        for (Answer answer : server.answers()) {
            after = doubt(after, answer.call());
        }
        for (Call call : server.sent()) {
            after = doubt(after, call);
        }
        Route route = state.route();
        if (route.open() && route.from() == number) {
            boolean spoilt = server.hasInFlight() && !has(ChangeoverRule.GONE_ANSWERS);
            after = after.with(new Route(number, route.to(), true, spoilt));
            after = has(ChangeoverRule.KEPT) ? after : after.waiting(List.of());
        }
        return after;
    }

    // What servers do.

    private void serverSteps(ChangeoverState state, int number, Steps<ChangeoverState> steps) {
        Server server = state.server(number);
        if (!server.alive()) {
            return;
        }
        if (server.connected() && !server.sent().isEmpty()) {
            Call call = server.sent().get(0);
            steps.step(execute(state, number, call), Model.text("%c executes %s", 'A' + number, call));
        }
        if (!server.old().isEmpty()) {
            Call call = server.old().get(0);
            steps.step(
                    executeOld(state, number, call),
                    Model.text("%c executes %s from the old socket", 'A' + number, call));
        }
        if (server.believes() && number != state.primary()) {
            List<Integer> none = Collections.nCopies(bounds.acquisitions, 0);
            steps.step(
                    state.with(number, server.replaced(none)),
                    Model.text("%c hears that it was replaced", 'A' + number));
        }
    }

    private ChangeoverState execute(ChangeoverState state, int number, Call call) {
        Server server = state.server(number);
        if (!server.believes()) {
            return state.with(number, server.answering(new Answer(call, false, state.primary()), server.fields()));
        }
        boolean yes = isDone(server.fields(), call);
        ChangeoverState after =
                state.with(number, server.answering(new Answer(call, yes, -1), stored(server.fields(), call)));
        return number == state.primary() ? after : excuse(after, call, yes);
    }

    private ChangeoverState executeOld(ChangeoverState state, int number, Call call) {
        Server server = state.server(number);
        List<Integer> stored = server.believes() ? stored(server.fields(), call) : server.fields();
        ChangeoverState after = state.with(number, server.executedOld(stored));
        if (number != state.primary()) {
            return server.believes() ? excuse(after, call, isDone(server.fields(), call)) : after;
        }
        // The slot has come back before the next connection could fence the old one: the lock is taken for one lease.
        boolean isLate = server.late() && call.kind() == Kind.ACQUIRE;
        return isLate ? after.excusing(call.number()) : after;
    }

    /** What a server that was replaced says is wrong: a release is lost, and a refusal does not speak of an earlier attempt. */
    private static ChangeoverState excuse(ChangeoverState state, Call call, boolean yes) {
        return call.kind() == Kind.RELEASE || !yes ? state.excusing(call.number()) : state;
    }

    private static boolean isDone(List<Integer> fields, Call call) {
        boolean isThere = fields.get(call.number()) > 0;
        return isThere || call.kind() == Kind.ACQUIRE && isFree(fields);
    }

    private static List<Integer> stored(List<Integer> fields, Call call) {
        if (!isDone(fields, call)) {
            return fields;
        }
        int count =
                switch (call.kind()) {
                    case ACQUIRE -> Math.max(1, fields.get(call.number()));
                    case ENTER -> 2;
                    case RELEASE -> 0;
                };
        return Lists.replaced(fields, call.number(), count);
    }

    private static boolean isFree(List<Integer> fields) {
        return fields.stream().allMatch(count -> count == 0);
    }

    // What happens to the slot.

    private void slotSteps(ChangeoverState state, Steps<ChangeoverState> steps) {
        int before = state.primary();
        int after = 1 - before;
        Server from = state.server(before);
        Server to = state.server(after);
        if (state.budget().deaths() > 0) {
            for (int number = 0; number < SERVERS; number++) {
                steps.step(
                        state.with(number, state.server(number).dead())
                                .with(state.budget().less(0, 0, 1, 0, 0)),
                        Model.text("%c dies", 'A' + number));
            }
        }
        if (!to.alive() || to.believes() || state.budget().moves() == 0) {
            return;
        }
        List<Integer> none = Collections.nCopies(bounds.acquisitions, 0);
        ChangeoverState less = state.with(state.budget().less(1, 0, 0, 0, 0)).belongingTo(after);
        if (from.alive()) {
            steps.step(
                    less.with(before, from.replaced(none)).with(after, to.primary(from.fields())),
                    Model.text("the slot is moved to %c", 'A' + after));
        }
        if (bounds.failovers) {
            steps.step(
                    less.with(after, to.primary(from.fields())),
                    Model.text("%c replaces %c, and has its data", 'A' + after, 'A' + before));
            if (!isFree(from.fields())) {
                steps.step(
                        less.with(after, to.primary(none)),
                        Model.text("%c replaces %c, without the latest data", 'A' + after, 'A' + before));
            }
        }
    }

    // What must hold.

    @Override
    public List<Invariant<ChangeoverState>> invariants() {
        return List.of(
                new Invariant<>(NO_ORPHAN, ChangeoverModel::noOrphan),
                new Invariant<>(NO_CALL_LOST, ChangeoverModel::noCallLost),
                new Invariant<>(NO_ENDLESS_WAIT, this::noEndlessWait),
                new Invariant<>(ONE_PLACE, ChangeoverModel::onePlace));
    }

    /** What the primary keeps is known to the engine: as a call that goes on, as a hold, or as a release that has yet to be answered. */
    private static boolean noOrphan(ChangeoverState state) {
        List<Integer> stored = state.server(state.primary()).fields();
        for (int number = 0; number < stored.size(); number++) {
            boolean isOver = state.acquisitions().get(number).phase() == Phase.OVER;
            if (stored.get(number) > 0 && isOver && !state.excused().get(number)) {
                return false;
            }
        }
        return true;
    }

    /** A call that the engine waits for is somewhere. */
    private static boolean noCallLost(ChangeoverState state) {
        for (int number = 0; number < state.acquisitions().size(); number++) {
            if (places(state, number) == 0) {
                return false;
            }
        }
        return true;
    }

    /** And it is at no two places, from where two servers would execute it. */
    private static boolean onePlace(ChangeoverState state) {
        for (int number = 0; number < state.acquisitions().size(); number++) {
            if (places(state, number) > 1) {
                return false;
            }
        }
        return true;
    }

    private static int places(ChangeoverState state, int number) {
        Acquisition self = state.acquisitions().get(number);
        Kind kind = self.kind();
        return self.awaits() && kind != null ? state.places(new Call(kind, number, self.attempt(), false)) : 1;
    }

    /** While the engine waits for an answer, and the primary lives, something goes on that no fault has to begin. */
    private boolean noEndlessWait(ChangeoverState state) {
        boolean awaits = state.acquisitions().stream().anyMatch(Acquisition::awaits);
        return !awaits
                || !state.server(state.primary()).alive()
                || state.route().to() != state.primary()
                || mayEnd(state)
                || state.servers().stream().anyMatch(ChangeoverModel::goesOn);
    }

    private static boolean goesOn(Server server) {
        return server.connected()
                ? !server.alive() || server.hasInFlight() || !server.unwritten().isEmpty()
                : server.alive() && !server.unwritten().isEmpty();
    }

    @Override
    public Object identity(ChangeoverState state) {
        return numbering.identity(
                state.server(0),
                state.server(1),
                List.of(state.primary(), state.route(), state.waiting(), state.acquisitions()),
                List.of(state.excused(), state.budget()));
    }

    private boolean has(ChangeoverRule rule) {
        return rules.contains(rule);
    }
}
