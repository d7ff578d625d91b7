package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.QueueClient.Call;
import io.holdfast.lock.tests.models.QueueClient.Exchange;
import io.holdfast.lock.tests.models.QueueClient.Kind;
import io.holdfast.lock.tests.models.QueueClient.Phase;
import io.holdfast.lock.tests.models.QueueClient.Request;
import io.holdfast.lock.tests.models.QueueScope.Mode;
import io.holdfast.lock.tests.models.QueueScope.Want;
import io.holdfast.lock.tests.models.QueueServer.Message;
import io.holdfast.lock.tests.models.QueueServer.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The server's queue with its reservations, deputies and presence: fair locks, read/write locks and permits.
 *
 * <p>In some bounds everything may be late, and time passes at any moment: there it matters who holds. In the others all
 * that is on its way arrives before time passes: there it is counted how long nobody has what a living call waits for.
 */
final class QueueModel implements Model<QueueState> {
    static final String ONE_HOLDER = "one holder";
    static final String IN_ORDER = "in order";
    static final String NOT_IDLE = "not idle";
    static final String SERVED = "served beside the queue";
    static final String NO_DEADLOCK = "no deadlock";
    static final String NO_LATE_WRITE = "no late write";
    static final String LEASE_KEPT = "lease kept";

    /** So many messages to a client may be late at once; with more of them there would be no end of states. */
    private static final int MOST_LATE = 1;

    private final Set<QueueRule> rules;
    private final QueueScope scope;

    QueueModel(Set<QueueRule> rules, QueueBounds bounds) {
        this(rules, bounds.scope);
    }

    QueueModel(Set<QueueRule> rules, QueueScope scope) {
        this.rules = rules;
        this.scope = scope;
    }

    @Override
    public QueueState start() {
        return new QueueState(rules, scope);
    }

    @Override
    public Object identity(QueueState state) {
        return state.identity();
    }

    @Override
    public void steps(QueueState state, Steps<QueueState> steps) {
        boolean quiet = true;
        for (int client = 0; client < scope.clients(); client++) {
            quiet &= !arrivals(state, client, steps);
            if (state.clients.get(client).acts()) {
                quiet &= !clientSteps(state, client, steps);
                users(state, client, steps);
            }
            troubles(state, client, steps);
        }
        if (state.restarts > 0) {
            step(state, steps, QueueModel::restart, () -> "the server starts again without its data");
        }
        if (state.resizes > 0) {
            step(state, steps, this::resize, () -> "the limit is set to " + scope.resized);
        }
        boolean mustGoOn = state.clients.stream().anyMatch(client -> client.paused == 0);
        boolean isFlooded = state.clients.stream().anyMatch(client -> client.news.size() > MOST_LATE);
        if (!mustGoOn && (quiet || !scope.isPrompt() && !isFlooded)) {
            step(state, steps, this::tick, () -> "time passes");
        }
    }

    private static void step(
            QueueState state, Steps<QueueState> steps, Consumer<QueueState> change, Supplier<String> what) {
        QueueState next = new QueueState(state);
        change.accept(next);
        next.forgetWhatIsOver();
        steps.step(next, what);
    }

    /** Something that a client does, or that happens to it. */
    private void step(
            QueueState state, int client, Steps<QueueState> steps, Consumer<QueueClient> change, String what) {
        step(state, steps, next -> change.accept(next.clients.get(client)), () -> "client " + client + " " + what);
    }

    /** Something that a call does. */
    private void step(QueueState state, int client, Call call, Steps<QueueState> steps, Move move, String what) {
        int at = state.clients.get(client).calls.indexOf(call);
        step(
                state,
                steps,
                next -> move.by(
                        next.clients.get(client), next.clients.get(client).calls.get(at)),
                () -> "call " + call.field() + " " + what);
    }

    private interface Move {
        void by(QueueClient client, Call call);
    }

    // What arrives; each tells whether there was anything.

    /** At the server. */
    private boolean arrivals(QueueState state, int client, Steps<QueueState> steps) {
        QueueClient self = state.clients.get(client);
        boolean any = false;
        int next = 0;
        while (next < self.link.size() && self.link.get(next).reply() != null) {
            next++;
        }
        if (next < self.link.size()) {
            int at = next;
            any = true;
            step(state, steps, to -> execute(to, client, at), () -> "server executes " + name(self.link.get(at)));
        }
        if (!self.late.isEmpty()) {
            any = true;
            step(
                    state,
                    steps,
                    to -> {
                        Request late = to.clients.get(client).late.get(0);
                        to.clients.get(client).late = Lists.withoutFirst(to.clients.get(client).late);
                        run(to, late);
                    },
                    () -> "server executes late " + name(self.late.get(0)));
        }
        if (self.subscribes) {
            any = true;
            step(
                    state,
                    client,
                    steps,
                    to -> {
                        to.subscribes = false;
                        to.listens = true;
                        to.news = Lists.appended(to.news, QueueClient.CONFIRMATION);
                    },
                    "is subscribed");
        }
        return any;
    }

    /** At a client, and its times. */
    private boolean clientSteps(QueueState state, int client, Steps<QueueState> steps) {
        QueueClient self = state.clients.get(client);
        boolean any = false;
        if (!self.link.isEmpty() && self.link.get(0).reply() != null) {
            any = true;
            Exchange first = self.link.get(0);
            step(
                    state,
                    client,
                    steps,
                    to -> {
                        to.link = Lists.withoutFirst(to.link);
                        to.hear(first);
                    },
                    "hears of " + name(first));
        }
        if (!self.news.isEmpty()) {
            any = true;
            Message first = self.news.get(0);
            step(
                    state,
                    client,
                    steps,
                    to -> {
                        to.news = Lists.withoutFirst(to.news);
                        to.hear(first);
                    },
                    "gets " + (first.equals(QueueClient.CONFIRMATION) ? "a confirmation" : first.toString()));
        }
        if (self.isDue()) {
            any = true;
            step(state, client, steps, QueueClient::look, "looks, as it is time");
        }
        return any;
    }

    private static void execute(QueueState state, int client, int at) {
        QueueClient self = state.clients.get(client);
        Exchange exchange = self.link.get(at);
        Reply reply = run(state, exchange.request());
        boolean isRemembered = self.alive && (exchange.request().awaitsReply() || state.mayReconnect());
        List<Exchange> link = new ArrayList<>(self.link);
        link.remove(at);
        if (isRemembered) {
            link.add(at, new Exchange(exchange.request(), reply));
        }
        self.link = List.copyOf(link);
    }

    private static Reply run(QueueState state, Request request) {
        QueueServer server = state.server;
        Reply reply =
                switch (request.kind()) {
                    case JOIN -> server.join(request.field(), request.other(), request.first());
                    case EXTEND -> server.extend(request.field());
                    case PART -> server.part(request.field(), request.unit());
                    case ACQUIRE -> server.acquire(request.field());
                    case RELEASE -> server.release(request.field());
                    case TRANSFER -> server.transfer(request.field(), request.other());
                };
        state.publish();
        return reply;
    }

    private static String name(Exchange exchange) {
        return name(exchange.request()) + (exchange.reply() == null ? "" : ": " + exchange.reply());
    }

    private static String name(Request request) {
        return request.kind().name().toLowerCase(Locale.ROOT) + " of " + request.field()
                + (request.kind() == Kind.PART && request.unit() > 0 ? ", permit " + request.unit() : "");
    }

    // What users do.

    private void users(QueueState state, int client, Steps<QueueState> steps) {
        QueueClient self = state.clients.get(client);
        Call before = null;
        for (Call call : self.calls) {
            if (call.phase == Phase.TO_COME) {
                Want want = scope.wants.get(call.number);
                if (!want.downgrades() || before != null && before.phase == Phase.HOLDING) {
                    step(state, client, call, steps, QueueClient::ask, "comes");
                }
                break;
            }
            before = call;
        }
        for (Call call : self.calls) {
            if (call.phase == Phase.HOLDING) {
                step(state, client, call, steps, QueueClient::release, "releases");
            }
            if (call.phase == Phase.HOLDING && state.extensions > 0) {
                int at = self.calls.indexOf(call);
                step(
                        state,
                        steps,
                        to -> {
                            to.extensions--;
                            to.clients
                                    .get(client)
                                    .extend(to.clients.get(client).calls.get(at));
                        },
                        () -> "call " + call.field() + " prolongs its lease");
            }
            if (call.touches) {
                step(
                        state,
                        steps,
                        to -> touch(to, call.number),
                        () -> "call " + call.field() + " touches the resource");
            }
            if (call.waits() && state.leavings > 0) {
                int at = self.calls.indexOf(call);
                step(
                        state,
                        steps,
                        to -> {
                            to.leavings--;
                            to.witness.leaves(call.number);
                            to.clients
                                    .get(client)
                                    .leave(to.clients.get(client).calls.get(at));
                        },
                        () -> "call " + call.field() + " gives up");
            }
        }
    }

    /** The resource refuses what is below the greatest token of a writer, and a writer also below that of a reader. */
    private void touch(QueueState state, int number) {
        Call call = state.calls().stream()
                .filter(other -> other.number == number)
                .findFirst()
                .orElseThrow();
        QueueWitness witness = state.witness;
        call.touches = false;
        boolean writes = scope.wants.get(number).mode() != Mode.READ;
        int token = call.grant.token();
        if (token < (writes ? witness.seen : witness.seenOfWriters)) {
            return;
        }
        witness.isLateWrite |= writes && call.grant.number() < witness.touched;
        witness.touched = Math.max(witness.touched, call.grant.number());
        witness.seen = Math.max(witness.seen, token);
        witness.seenOfWriters = writes ? Math.max(witness.seenOfWriters, token) : witness.seenOfWriters;
    }

    // What goes wrong, and time.

    private void troubles(QueueState state, int client, Steps<QueueState> steps) {
        QueueClient self = state.clients.get(client);
        if (self.paused != QueueClient.NEVER) {
            step(state, client, steps, to -> to.paused = QueueClient.NEVER, "goes on");
        }
        if (!self.alive && !self.link.isEmpty()) {
            step(state, client, steps, to -> to.link = List.of(), "is dead, and what it has sent is lost");
        }
        if (!self.acts()) {
            return;
        }
        boolean mayFail = !scope.asleep || isAsleep(state, client);
        if (state.pauses > 0 && mayFail) {
            step(
                    state,
                    steps,
                    to -> {
                        to.pauses--;
                        to.witness.away[client] = true;
                        to.clients.get(client).paused = scope.pauseTicks;
                    },
                    () -> "client " + client + " is paused");
        }
        if (state.crashes > 0 && mayFail) {
            step(
                    state,
                    steps,
                    to -> {
                        to.crashes--;
                        to.witness.away[client] = true;
                        to.clients.get(client).crash();
                    },
                    () -> "client " + client + " dies");
        }
        if (state.reconnects > 0 && !self.link.isEmpty()) {
            step(
                    state,
                    steps,
                    to -> {
                        to.reconnects--;
                        to.clients.get(client).reconnect(scope.fenced);
                    },
                    () -> "client " + client + " connects again");
        }
        if (state.drops > 0 && (self.listens || self.subscribes)) {
            step(
                    state,
                    steps,
                    to -> {
                        to.drops--;
                        to.clients.get(client).drop();
                    },
                    () -> "client " + client + " loses its connection for messages");
        }
    }

    /** Whether nothing of a client is under way, and nothing is reserved for it. */
    private static boolean isAsleep(QueueState state, int client) {
        return state.clients.get(client).link.isEmpty() && !state.server.reservesFor(client);
    }

    private static void restart(QueueState state) {
        state.restarts--;
        state.server.restart();
        state.witness.forgets();
        for (QueueClient client : state.clients) {
            client.drop();
            client.reconnect(true);
            client.late = List.of();
            if (!client.alive) {
                client.link = List.of();
            }
        }
    }

    private void resize(QueueState state) {
        state.resizes--;
        state.server.resize(scope.resized);
        state.publish();
    }

    private void tick(QueueState state) {
        List<Call> living = scope.isPrompt() ? living(state) : List.of();
        living.stream()
                .filter(call -> !state.server.isReserved(call.field()))
                .forEach(call -> state.witness.returns(call.number));
        state.witness.tick(isThereRoom(state, living));
        state.server.tick();
        state.clients.forEach(QueueClient::tick);
    }

    /** Whether the living call whose turn it is could have what it waits for, and has not. */
    private boolean isThereRoom(QueueState state, List<Call> living) {
        Call turn = null;
        int best = Integer.MAX_VALUE;
        for (Call call : living) {
            int rank = rank(state, call);
            if (rank < best) {
                best = rank;
                turn = call;
            }
        }
        return turn != null && state.server.hasRoom(scope.wants.get(turn.number));
    }

    /** The waiting calls of clients that live and are not paused. */
    private static List<Call> living(QueueState state) {
        return state.clients.stream()
                .filter(QueueClient::acts)
                .flatMap(client -> client.calls.stream())
                .filter(Call::waits)
                .toList();
    }

    /** First what is reserved, then in the order of arrival. */
    private static int rank(QueueState state, Call call) {
        if (state.server.isReserved(call.field())) {
            return 0;
        }
        int place = state.witness.order.indexOf(call.number);
        return place < 0 ? Integer.MAX_VALUE - 1 : 1 + place;
    }

    // What must hold.

    @Override
    public List<Invariant<QueueState>> invariants() {
        return List.of(
                new Invariant<>(ONE_HOLDER, this::oneHolder),
                new Invariant<>(IN_ORDER, state -> !state.witness.isPassed),
                new Invariant<>(NOT_IDLE, state -> !scope.isPrompt() || state.witness.idle <= scope.idle),
                new Invariant<>(SERVED, state -> state.calls().stream().noneMatch(call -> call.passed > 1)),
                new Invariant<>(NO_DEADLOCK, state -> !state.witness.isStuck),
                new Invariant<>(NO_LATE_WRITE, state -> !state.witness.isLateWrite),
                new Invariant<>(LEASE_KEPT, state -> !scope.hasShortLeases() || state.server.keepsLeases()));
    }

    /** Of those who were granted between the same two losses of data. */
    private boolean oneHolder(QueueState state) {
        List<Call> holders = state.calls().stream()
                .filter(call -> call.phase == Phase.HOLDING)
                .toList();
        int permits = holders.stream()
                .filter(call -> scope.wants.get(call.number).mode() == Mode.PERMITS)
                .filter(call -> call.grant.epoch() == state.witness.epoch)
                .mapToInt(call -> call.units)
                .sum();
        if (permits > Math.max(scope.limit, scope.resized)) {
            return false;
        }
        return holders.stream()
                .allMatch(one -> holders.stream().allMatch(other -> one == other || areTogether(one, other)));
    }

    private boolean areTogether(Call one, Call other) {
        Want first = scope.wants.get(one.number);
        Want second = scope.wants.get(other.number);
        boolean isShared = first.mode() == second.mode() && first.mode() != Mode.WRITE && first.mode() != Mode.PLAIN;
        boolean isDowngrade = isDowngrade(one, other) || isDowngrade(other, one);
        return isShared || isDowngrade || one.grant.epoch() != other.grant.epoch();
    }

    private boolean isDowngrade(Call writer, Call reader) {
        return scope.wants.get(reader.number).downgrades() && writer.number == reader.number - 1;
    }
}
