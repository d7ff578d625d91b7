package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.TurnsState.Budget;
import io.holdfast.lock.tests.models.TurnsState.Client;
import io.holdfast.lock.tests.models.TurnsState.Phase;
import io.holdfast.lock.tests.models.TurnsState.Request;
import io.holdfast.lock.tests.models.TurnsState.Seen;
import io.holdfast.lock.tests.models.TurnsState.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Turns among clients: who is refused leaves word beside the lock, and a release reserves it for the client that has waited longest, for a
 * grace. A turn is one hold here, however many calls of the client it serves.
 *
 * <p>Requests of one client are executed in order. Where nothing is late, all that is on its way arrives before time passes.
 */
final class TurnsModel implements Model<TurnsState> {
    static final String ONE_HOLDER = "one holder";
    static final String PASSED_ONCE = "passed once";
    static final String NOT_IDLE = "not idle";
    static final String ONE_WAKE = "one wake-up";
    static final String QUEUE_FIRST = "queue first";
    static final String NO_FALSE_HOLDER = "no false holder";
    static final String ONE_GRACE = "one grace";
    static final String WORD_OF_WAITERS = "word of waiters";
    static final String IN_TIME = "in time";
    static final String OTHERS_SPARED = "others spared";

    private static final int GRACE = 1;
    private static final int LEASE = 2;

    /** A round trip more. */
    private static final int GRACE_OF_FAR = GRACE + 1;

    /** Two round trips. */
    private static final int YOUNG = 2;

    /** A far client costs the others one tick in so many at most: its way to the lock, its way back, and two for its word. */
    private static final int COST_IN = 4;

    private final Set<TurnsRule> rules;
    private final TurnsBounds bounds;

    TurnsModel(Set<TurnsRule> rules, TurnsBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public TurnsState start() {
        Budget budget = new Budget(bounds.deaths, bounds.losses, bounds.forces, bounds.fair, bounds.leaving);
        List<Client> clients = new ArrayList<>();
        bounds.calls.forEach(calls -> clients.add(Client.first(calls, bounds.far && clients.isEmpty())));
        return new TurnsState(Server.FREE, List.copyOf(clients), Seen.NOTHING, budget);
    }

    @Override
    public Object identity(TurnsState state) {
        return state.identity();
    }

    @Override
    public void steps(TurnsState state, Steps<TurnsState> steps) {
        if (state.seen().upsets() > bounds.upsets) {
            return;
        }
        for (int number = 1; number <= 3; number++) {
            clientSteps(state, number, steps);
            serverSteps(state, number, steps);
        }
        fairSteps(state, steps);
        Budget left = state.budget();
        if (left.forces() > 0 && state.server().reserved()) {
            TurnsState forced =
                    state.with(left.less(0, 0, 1, 0, 0)).with(state.seen().upset());
            boolean tells = !rules.contains(TurnsRule.NO_HOLDER);
            TurnsState answered = tells ? forced.with(forced.seen().breaks(NO_FALSE_HOLDER)) : forced;
            steps.step(
                    told(answered.with(state.server().freed()), TurnsState.NONE, 0),
                    () -> "force finds a reservation, and " + (tells ? "tells of a holder" : "drops it"));
        }
        if (bounds.isLate || isQuiet(state)) {
            steps.step(later(state), () -> "time passes");
        }
    }

    /** Nothing is on its way. */
    private static boolean isQuiet(TurnsState state) {
        return state.clients().stream().allMatch(client -> client.phase() == Phase.DEAD || client.isIdle());
    }

    // What clients do.

    private void clientSteps(TurnsState state, int number, Steps<TurnsState> steps) {
        Client self = state.client(number);
        Budget left = state.budget();
        if (self.phase() == Phase.DEAD) {
            return;
        }
        if (left.deaths() > 0) {
            TurnsState dead = state.with(number, self.rests(Phase.DEAD)).with(left.less(1, 0, 0, 0, 0));
            steps.step(dead.with(dead.seen().ended(number)), () -> number + " dies");
        }
        // Far clients send one thing at a time: what they have sent arrives together.
        if (self.phase() == Phase.IDLE
                && self.calls() > 0
                && (!self.way().far() || self.flight().isEmpty())) {
            steps.step(state.with(number, self.begins().asks()), () -> number + " wants the lock");
        }
        if (self.phase() == Phase.HOLDING) {
            release(state, number, steps);
        }
        if (self.phase() == Phase.WAITING) {
            if (self.look() == 0 || self.missed()) {
                steps.step(state.with(number, self.asks()), () -> number + " looks");
            }
            if (left.leaving() > 0) {
                Client idle = self.rests(Phase.IDLE);
                TurnsState gone = state.with(
                                number, rules.contains(TurnsRule.TAKES_WORD_BACK) ? idle.sends(Request.GIVE_UP) : idle)
                        .with(left.less(0, 0, 0, 0, 1));
                steps.step(gone.with(gone.seen().ended(number)), () -> number + " does not wait any more");
            }
        }
        if (!self.inbox().isEmpty()) {
            int message = self.inbox().get(0);
            TurnsState heard = state.with(number, self.inbox(Lists.withoutFirst(self.inbox())));
            steps.step(hears(heard, number, message), () -> number + " hears: next is " + message);
        }
        if (!self.flight().isEmpty() && self.flight().get(0).isAnswer()) {
            Request answer = self.flight().get(0);
            TurnsState heard = state.with(number, self.flight(Lists.withoutFirst(self.flight())));
            steps.step(answered(heard, number, answer), () -> number + " is answered: " + answer);
        }
    }

    private void release(TurnsState state, int number, Steps<TurnsState> steps) {
        Client self = state.client(number);
        steps.step(state.with(number, self.rests(Phase.IDLE).sends(Request.RELEASE)), () -> number + " releases");
        if (self.calls() > 0) {
            Client again = self.begins().rests(Phase.WAITING).sends(Request.RELEASE);
            steps.step(state.with(number, again), () -> number + " releases, and waits again");
        }
    }

    private TurnsState hears(TurnsState state, int number, int message) {
        Client self = state.client(number);
        if (!self.waits()) {
            return state;
        }
        boolean isForIt = message == TurnsState.NONE || message == number;
        if (isForIt || !rules.contains(TurnsRule.NAMED_ASKS)) {
            TurnsState woken = isForIt ? state : state.with(state.seen().breaks(ONE_WAKE));
            return woken.with(number, self.phase() == Phase.ASKING ? self.permit(true) : self.asks());
        }
        return state.with(number, rules.contains(TurnsRule.LOOKS_AFTER_GRACE) ? self.looksIn(GRACE) : self);
    }

    private TurnsState answered(TurnsState state, int number, Request answer) {
        Client self = state.client(number);
        if (!self.waits()) {
            return state;
        }
        if (answer == Request.GRANTED) {
            // A grant whose lease is over by now is none.
            return state.server().holder() == number
                    ? state.with(number, self.rests(Phase.HOLDING))
                    : state.with(number, self.asks());
        }
        if (self.permit()) {
            return state.with(number, self.asks());
        }
        boolean looks = answer == Request.REFUSED || rules.contains(TurnsRule.LOOKS_AFTER_GRACE);
        boolean isHeld = state.server().holder() != TurnsState.NONE;
        int left = answer == Request.RESERVED ? GRACE : isHeld ? state.server().left() : LEASE;
        Client waiting = self.as(Phase.WAITING);
        return state.with(number, looks ? waiting.looksIn(left) : waiting);
    }

    // What the server does.

    private void serverSteps(TurnsState state, int number, Steps<TurnsState> steps) {
        Client self = state.client(number);
        if (self.way().ahead() > 0) {
            return;
        }
        for (int i = 0; i < self.flight().size(); i++) {
            Request request = self.flight().get(i);
            if (request == Request.ACQUIRE) {
                int at = i;
                steps.step(acquire(state, number, at), () -> "server executes acquire of " + number);
                return;
            }
            if (request == Request.GIVE_UP) {
                TurnsState sent = state.with(number, self.flight(Lists.without(self.flight(), i)));
                steps.step(wordTakenBack(sent, number), () -> "server takes the word of " + number + " back");
                return;
            }
            if (request == Request.RELEASE) {
                TurnsState sent = state.with(number, self.flight(Lists.without(self.flight(), i)));
                releaseExecuted(sent, number, steps);
                return;
            }
        }
    }

    private TurnsState acquire(TurnsState state, int number, int at) {
        Server server = state.server();
        if (server.holder() != TurnsState.NONE) {
            // Another owner was faster, so the client that was named keeps its place.
            server = server.dropsReservation();
        }
        boolean isReserved = server.reserved()
                && server.left() > 0
                && server.wanted().get(0) != number
                && rules.contains(TurnsRule.RESERVED);
        if (server.holder() == TurnsState.NONE && !isReserved) {
            List<Integer> rest = TurnsState.without(server.wanted(), number);
            boolean hasLapsed = server.reserved() && server.left() == 0;
            if (hasLapsed && rules.contains(TurnsRule.LAPSED_GOES)) {
                rest = TurnsState.without(rest, server.wanted().get(0));
            }
            if (!rules.contains(TurnsRule.WORD_STAYS)) {
                rest = List.of();
            }
            TurnsState held = state.with(server.held(number, LEASE, rest))
                    .with(number, state.client(number).youngFor(0));
            return answers(held, number, at, Request.GRANTED)
                    .with(state.seen()
                            .granted(number, state.clients())
                            .asked(number)
                            .idle(0));
        }
        Seen seen = state.seen().asked(number);
        boolean waits = state.client(number).waits();
        boolean leavesWord = waits && !server.wanted().contains(number) && rules.contains(TurnsRule.LEAVES_WORD);
        TurnsState refused = state.with(leavesWord ? server.wanted(Lists.appended(server.wanted(), number)) : server)
                .with(waits ? seen.refused(number) : seen);
        return answers(
                leavesWord ? young(refused, number) : refused,
                number,
                at,
                isReserved ? Request.RESERVED : Request.REFUSED);
    }

    /** A client has left word just now. */
    private TurnsState young(TurnsState state, int number) {
        Client self = state.client(number);
        boolean isPassedOver = self.way().far() && rules.contains(TurnsRule.YOUNG_PASSED_OVER);
        return state.with(number, self.youngFor(isPassedOver ? YOUNG : 0));
    }

    /** The first client whose word is not passed over. */
    private static int next(TurnsState state, List<Integer> wanted) {
        return wanted.stream()
                .filter(client -> state.client(client).way().young() == 0)
                .findFirst()
                .orElse(TurnsState.NONE);
    }

    private int graceOf(TurnsState state, int client) {
        return state.client(client).way().far() && rules.contains(TurnsRule.AS_LONG_AS_IT_NEEDS) ? GRACE_OF_FAR : GRACE;
    }

    private static TurnsState answers(TurnsState state, int number, int at, Request answer) {
        Client self = state.client(number);
        return state.with(number, self.flight(Lists.replaced(self.flight(), at, answer)));
    }

    private void releaseExecuted(TurnsState state, int number, Steps<TurnsState> steps) {
        Server server = state.server();
        Client self = state.client(number);
        boolean isAgain = self.phase() == Phase.WAITING;
        if (server.holder() != number) {
            // Its lease was over: who waits again asks.
            steps.step(
                    isAgain ? state.with(number, self.asks()) : state,
                    () -> "server finds nothing to release of " + number);
            return;
        }
        TurnsState done = state.with(server.freed());
        List<Integer> wanted = server.wanted();
        int next = next(state, wanted);
        if (next != TurnsState.NONE && !rules.contains(TurnsRule.OLDEST_FIRST)) {
            next = wanted.get(wanted.size() - 1);
        }
        if (next != TurnsState.NONE && isAgain) {
            done = young(done, number).with(done.seen().refused(number));
            if (rules.contains(TurnsRule.ASKS_BEHIND)) {
                wanted = Lists.appended(wanted, number);
            } else {
                next = number;
            }
        }
        if (next != TurnsState.NONE) {
            done = reserved(done, next, wanted);
        }
        int named = next;
        TurnsState after = done;
        steps.step(told(after, named, 0), () -> "server executes release of " + number + ", next is " + named);
        for (int deaf = 1; deaf <= 3 && state.budget().losses() > 0; deaf++) {
            int missing = deaf;
            if (deaf != number && state.client(deaf).waits()) {
                steps.step(
                        told(after.with(state.budget().less(0, 1, 0, 0, 0)), named, missing),
                        () -> "server executes release of " + number + ", next is " + named + "; " + missing
                                + " is not told");
            }
        }
    }

    /** Reserves a free lock for a client, which stands first from then on. */
    private TurnsState reserved(TurnsState state, int next, List<Integer> wanted) {
        List<Integer> stored = new ArrayList<>(List.of(next));
        stored.addAll(TurnsState.without(wanted, next));
        Seen seen = state.seen();
        return state.with(state.server().reserved(graceOf(state, next), List.copyOf(stored)))
                .with(seen.lapsed() == next ? seen.breaks(ONE_GRACE) : seen);
    }

    private TurnsState wordTakenBack(TurnsState state, int number) {
        Server server = state.server();
        boolean isForIt = server.reserved() && server.wanted().get(0) == number;
        TurnsState taken = state.with(server.wanted(TurnsState.without(server.wanted(), number)));
        if (!isForIt) {
            return taken;
        }
        Server rest = taken.server();
        if (rest.holder() != TurnsState.NONE) {
            return taken.with(rest.dropsReservation());
        }
        TurnsState free = taken.with(rest.freed());
        int next = next(free, rest.wanted());
        return told(next == TurnsState.NONE ? free : reserved(free, next, rest.wanted()), next, 0);
    }

    /** All that wait are told for which client the lock is reserved, but for one. */
    private static TurnsState told(TurnsState state, int next, int missing) {
        TurnsState after = state;
        for (int number = 1; number <= 3; number++) {
            Client client = after.client(number);
            if (client.waits()) {
                after = after.with(
                        number,
                        number == missing ? client.missed(true) : client.inbox(Lists.appended(client.inbox(), next)));
            }
        }
        return after;
    }

    // A fair call of the same name: its order is kept by the server's queue, and it is served at once.

    private void fairSteps(TurnsState state, Steps<TurnsState> steps) {
        Server server = state.server();
        Budget left = state.budget();
        if (left.fair() > 0 && !server.queued() && server.holder() != TurnsState.FAIR) {
            steps.step(
                    state.with(left.less(0, 0, 0, 1, 0)).with(server.queued(true)), () -> "a fair call comes to wait");
        }
        if (server.holder() == TurnsState.FAIR) {
            steps.step(told(state.with(server.freedByFair()), TurnsState.NONE, 0), () -> "the fair call releases");
        } else if (server.queued() && server.holder() == TurnsState.NONE) {
            boolean isRefused = server.reserved() && server.left() > 0 && !rules.contains(TurnsRule.QUEUE_FIRST);
            TurnsState taken =
                    state.with(server.heldByFair()).with(state.seen().idle(0).upset());
            steps.step(
                    isRefused ? state.with(state.seen().breaks(QUEUE_FIRST)) : taken,
                    () -> "the fair call " + (isRefused ? "is refused" : "has the lock"));
        }
    }

    // Time.

    private TurnsState later(TurnsState state) {
        TurnsState after = state;
        for (int number = 1; number <= 3; number++) {
            after = after.with(number, after.client(number).later());
        }
        Server server = state.server();
        boolean isFree = server.holder() == TurnsState.NONE;
        boolean isWanted = state.clients().stream().anyMatch(client -> client.waits() && !client.missed());
        after = after.with(
                after.seen().idle(isFree && isWanted ? Math.min(after.seen().idle() + 1, GRACE + 1) : 0));
        after = after.with(spared(state, after.seen()));
        boolean isLeased = !isFree && server.holder() != TurnsState.FAIR;
        boolean isRunning = isLeased || server.reserved() && server.left() > 0 && rules.contains(TurnsRule.GRACE_ENDS);
        if (!isRunning) {
            return after;
        }
        if (!isLeased || server.left() > 1) {
            boolean lapses = !isLeased && server.left() == 1;
            return after.with(server.later()).with(lapses ? lapsed(state, after.seen()) : after.seen());
        }
        after = after.with(server.freed()).with(after.seen().upset());
        Client holder = after.client(server.holder());
        return holder.phase() == Phase.HOLDING ? after.with(server.holder(), holder.rests(Phase.IDLE)) : after;
    }

    /** A reservation is over. Its client should have come, if it waits and was told. */
    private Seen lapsed(TurnsState state, Seen seen) {
        int first = state.server().wanted().get(0);
        Client client = state.client(first);
        boolean comes =
                !bounds.isLate && state.server().holder() == TurnsState.NONE && client.waits() && !client.missed();
        Seen after = seen.upset().lapsed(first);
        return comes ? after.breaks(IN_TIME) : after;
    }

    /** Whether the lock was unused for a tick because a far client is on its way, though another one waits. */
    private static Seen spared(TurnsState state, Seen seen) {
        Server server = state.server();
        boolean isUnused = server.holder() == TurnsState.NONE
                && server.reserved()
                && server.left() > 0
                && state.client(server.wanted().get(0)).way().far()
                && state.clients().stream()
                        .anyMatch(client -> client.waits() && !client.way().far());
        if (!isUnused) {
            return seen.spared(Math.max(0, seen.spared() - 1));
        }
        return seen.spared() > 0 ? seen.breaks(OTHERS_SPARED) : seen.spared(COST_IN - 1);
    }

    @Override
    public List<Invariant<TurnsState>> invariants() {
        return List.of(
                new Invariant<>(ONE_HOLDER, TurnsModel::oneHolder),
                new Invariant<>(PASSED_ONCE, TurnsModel::passedOnce),
                new Invariant<>(NOT_IDLE, state -> bounds.isLate || state.seen().idle() <= GRACE),
                kept(ONE_WAKE),
                kept(QUEUE_FIRST),
                kept(NO_FALSE_HOLDER),
                kept(ONE_GRACE),
                kept(IN_TIME),
                kept(OTHERS_SPARED),
                new Invariant<>(WORD_OF_WAITERS, TurnsModel::wordOfWaiters));
    }

    private static Invariant<TurnsState> kept(String name) {
        return new Invariant<>(name, state -> !state.seen().broken().equals(name));
    }

    private static boolean oneHolder(TurnsState state) {
        return state.clients().stream()
                        .filter(client -> client.phase() == Phase.HOLDING)
                        .count()
                <= 1;
    }

    /** No client that has given up, and whose requests were executed, has word at the server. */
    private static boolean wordOfWaiters(TurnsState state) {
        return state.server().wanted().stream()
                .map(state::client)
                .noneMatch(client ->
                        client.phase() == Phase.IDLE && client.flight().isEmpty());
    }

    /** Each other client passes one that waits once, and once more each time that it was lost who waits. */
    private static boolean passedOnce(TurnsState state) {
        int most = 1 + state.seen().upsets();
        return state.seen().passed().stream().allMatch(times -> times <= most);
    }
}
