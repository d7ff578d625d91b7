package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.ServerState.Answer;
import io.holdfast.lock.tests.models.ServerState.Budget;
import io.holdfast.lock.tests.models.ServerState.Client;
import io.holdfast.lock.tests.models.ServerState.Key;
import io.holdfast.lock.tests.models.ServerState.Kind;
import io.holdfast.lock.tests.models.ServerState.Phase;
import io.holdfast.lock.tests.models.ServerState.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How a lock on one server excludes: requests that are repeated after a reconnect while their first copies still wait in
 * the old socket, re-entry, renewal, transfer and loss.
 *
 * <p>The answer to a release comes with its execution: what a client does after it, it might have done before.
 */
final class ServerModel implements Model<ServerState> {
    static final String ONE_HOLDER = "one holder";
    static final String NO_ORPHAN = "no orphan";
    static final String NO_REVIVAL = "no revival";

    /** The lease of a re-entry: shorter than that of the acquisition. */
    private static final int SHORT_LEASE = 1;

    private final Set<ServerRule> rules;
    private final ServerBounds bounds;

    ServerModel(Set<ServerRule> rules, ServerBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public ServerState start() {
        List<Client> clients = new ArrayList<>();
        for (int rounds : bounds.rounds) {
            Budget budget = clients.isEmpty()
                    ? new Budget(rounds, bounds.entries, bounds.renewals, bounds.transfers, bounds.reconnects)
                    : new Budget(rounds, 0, 0, 0, 0);
            clients.add(new Client(Phase.IDLE, 0, 0, 0, 0, 0, null, null, List.of(), List.of(), budget));
        }
        return new ServerState(null, clients, 0, 0, false, bounds.restarts);
    }

    @Override
    public void steps(ServerState state, Steps<ServerState> steps) {
        for (int i = 0; i < state.clients().size(); i++) {
            int client = i;
            Client self = state.clients().get(i);
            String name = "client " + (i + 1);
            clientSteps(self, (next, what) -> steps.step(state.with(client, next), () -> name + " " + what.get()));
            if (!self.sent().isEmpty()) {
                ServerState taken = state.with(client, self.queues(Lists.withoutFirst(self.sent()), self.stale()));
                Request request = self.sent().get(0);
                steps.step(execute(taken, client, request, true), () -> "server executes " + request + " of " + name);
            }
            if (!self.stale().isEmpty()) {
                ServerState taken = state.with(client, self.queues(self.sent(), Lists.withoutFirst(self.stale())));
                Request request = self.stale().get(0);
                steps.step(
                        execute(taken, client, request, false),
                        () -> "server executes, from the old socket, " + request + " of " + name);
            }
            if (self.answer() != null) {
                boolean yes = self.answer().token() > 0;
                steps.step(receive(state, client), () -> name + " hears: " + (yes ? "yes" : "no"));
            }
        }
        if (state.restarts() > 0 && state.key() != null) {
            steps.step(state.forgotten(), () -> "server forgets the key");
        }
        steps.step(tick(state), () -> "time passes");
    }

    // What a client does by itself.

    private void clientSteps(Client self, Steps<Client> steps) {
        Budget left = self.budget();
        int number = self.number();
        switch (self.phase()) {
            case IDLE -> {
                if (left.rounds() > 0) {
                    Request acquire = new Request(Kind.ACQUIRE, number + 1, 1);
                    steps.step(
                            self.spend(1, 0, 0, 0, 0).await(Phase.ASKING, number + 1, ServerBounds.LEASE, acquire),
                            () -> "sends " + acquire);
                }
            }
            case ASKING -> steps.step(undo(self), () -> "gives up " + number);
            case HOLDING -> {
                if (self.pending() == null) {
                    holderSteps(self, steps);
                }
            }
            case PASSING -> {}
        }
        if (left.reconnects() > 0 && (self.pending() != null || !self.sent().isEmpty())) {
            steps.step(reconnect(self.spend(0, 0, 0, 0, 1)), () -> "reconnects, and repeats what is unanswered");
        }
    }

    private void holderSteps(Client self, Steps<Client> steps) {
        Budget left = self.budget();
        int number = self.number();
        if (left.entries() > 0) {
            Request reenter = new Request(Kind.REENTER, number, self.count() + 1);
            steps.step(
                    self.spend(0, 1, 0, 0, 0).await(Phase.HOLDING, number, SHORT_LEASE, reenter),
                    () -> "sends " + reenter);
        }
        if (left.renewals() > 0) {
            Request renew = new Request(Kind.RENEW, number, self.count());
            steps.step(
                    self.spend(0, 0, 1, 0, 0).await(Phase.HOLDING, number, ServerBounds.LEASE, renew),
                    () -> "sends " + renew);
        }
        if (left.transfers() > 0 && self.count() == 1) {
            Request transfer = new Request(Kind.TRANSFER, number, 1);
            steps.step(
                    self.spend(0, 0, 0, 1, 0).idle().await(Phase.PASSING, number, ServerBounds.LEASE, transfer),
                    () -> "ends its hold and sends " + transfer);
        }
        Request release = new Request(Kind.RELEASE, number, self.count() - 1);
        if (release.count() > 0) {
            steps.step(
                    self.send(release).hold(number, release.count(), self.valid(), self.token()),
                    () -> "sends " + release);
        } else if (rules.contains(ServerRule.ENDS_FIRST)) {
            steps.step(self.send(release).idle(), () -> "ends its hold and sends " + release);
        } else {
            steps.step(
                    self.await(Phase.HOLDING, number, self.valid(), release),
                    () -> "sends " + release + ", and holds until it is answered");
        }
    }

    private Client undo(Client self) {
        return rules.contains(ServerRule.UNDONE)
                ? self.idle().send(new Request(Kind.UNDO, self.number(), 0))
                : self.idle();
    }

    /** Answers of the old connection are never used; what is unanswered is sent again behind the fence. */
    private Client reconnect(Client self) {
        List<Request> again = new ArrayList<>();
        if (bounds.fenced && rules.contains(ServerRule.FENCE)) {
            again.add(new Request(Kind.FENCE, 0, 0));
        }
        if (self.pending() != null && !self.sent().contains(self.pending())) {
            again.add(self.pending());
        }
        self.sent().stream()
                .filter(request -> request.equals(self.pending()) || isRelease(request))
                .forEach(again::add);
        List<Request> stale = Stream.concat(self.stale().stream(), self.sent().stream())
                .filter(request -> request.kind() != Kind.FENCE)
                .toList();
        return self.answered(null).queues(List.copyOf(again), stale);
    }

    private static boolean isRelease(Request request) {
        return request.kind() == Kind.RELEASE || request.kind() == Kind.UNDO;
    }

    // What the server does.

    private ServerState execute(ServerState state, int client, Request request, boolean answers) {
        Key key = state.key();
        int field = field(request.number());
        boolean isOwn = key != null && key.client() == client && key.field() == field;
        ServerState after = state;
        int token = isOwn ? key.token() : 0;
        switch (request.kind()) {
            case FENCE -> {
                Client self = state.clients().get(client);
                return state.with(client, self.queues(self.sent(), List.of()));
            }
            case ACQUIRE -> {
                after = isOwn
                        ? state.with(raise(key, ServerBounds.LEASE))
                        : key == null ? state.mint(client, field) : state;
                token = isOwn || key == null ? after.key().token() : 0;
            }
            case REENTER, RENEW -> {
                int lease = request.kind() == Kind.RENEW ? ServerBounds.LEASE : SHORT_LEASE;
                if (isOwn) {
                    int count = request.kind() == Kind.RENEW ? key.count() : reached(key, request, 1);
                    after = state.with(raise(key, lease).counted(count));
                } else if (key == null && !rules.contains(ServerRule.CREATED_BY_ACQUIRE)) {
                    token = state.clients().get(client).token();
                    after = state.with(new Key(client, field, request.count(), lease, token));
                }
            }
            case TRANSFER -> {
                int receiver = field(request.number() + 1);
                boolean done = key != null && key.client() == client && key.field() == receiver;
                if (isOwn) {
                    after = state.mint(client, receiver);
                    token = after.minted();
                } else if (done && rules.contains(ServerRule.TRANSFER_ANSWERS)) {
                    after = state.with(raise(key, ServerBounds.LEASE));
                    token = key.token();
                }
            }
            case RELEASE -> {
                int count = isOwn ? reached(key, request, -1) : 0;
                after = isOwn ? state.with(count > 0 ? key.counted(count) : null) : state;
            }
            case UNDO -> after = isOwn ? state.with(null) : state;
        }
        Client self = after.clients().get(client);
        boolean awaited = answers && request.equals(self.pending());
        return awaited ? after.with(client, self.answered(new Answer(token, state.newest()))) : after;
    }

    private int reached(Key key, Request request, int change) {
        return rules.contains(ServerRule.ABSOLUTE_COUNT) ? request.count() : key.count() + change;
    }

    private Key raise(Key key, int lease) {
        return rules.contains(ServerRule.RAISED_ONLY) ? key.raised(lease) : key.lowered(lease);
    }

    private int field(int number) {
        return rules.contains(ServerRule.FIELD_PER_ACQUISITION) ? number : 1;
    }

    // What an answer means.

    private ServerState receive(ServerState state, int client) {
        Client self = state.clients().get(client);
        int token = self.answer().token();
        Request request = self.pending();
        int asked = self.asked();
        if (!rules.contains(ServerRule.VALID_FROM_SEND) && request.kind() != Kind.RELEASE) {
            asked = request.kind() == Kind.REENTER ? SHORT_LEASE : ServerBounds.LEASE;
        }
        switch (request.kind()) {
            case ACQUIRE, TRANSFER -> {
                int number = request.kind() == Kind.ACQUIRE ? self.number() : self.number() + 1;
                Client receiver = self.hold(number, 1, asked, token);
                if (token == 0) {
                    return state.with(client, receiver.idle());
                }
                return asked > 0 ? state.with(client, receiver).handedOut(token) : state.with(client, undo(receiver));
            }
            case REENTER, RENEW -> {
                if (token == 0) {
                    return state.with(client, undo(self));
                }
                int valid = Math.max(self.valid(), asked);
                Client holder = self.hold(self.number(), request.count(), valid, self.token());
                return valid > 0
                        ? state.with(client, holder).renewed(self.token(), self.answer())
                        : state.with(client, undo(self));
            }
            default -> {
                return state.with(client, self.idle());
            }
        }
    }

    private ServerState tick(ServerState state) {
        Key key = state.key();
        ServerState after = state.with(key == null || key.left() == 1 ? null : key.lowered(key.left() - 1));
        for (int client = 0; client < state.clients().size(); client++) {
            Client self = state.clients().get(client);
            Client aged = self.at(Math.max(0, self.valid() - 1), Math.max(0, self.asked() - 1));
            boolean lost = aged.phase() == Phase.HOLDING && aged.valid() == 0;
            boolean latches = lost && rules.contains(ServerRule.LOSS_LATCHED);
            after = after.with(client, latches ? undo(aged) : aged);
        }
        return after;
    }

    // What must hold.

    @Override
    public List<Invariant<ServerState>> invariants() {
        Stream<Invariant<ServerState>> all = Stream.of(
                new Invariant<>(ONE_HOLDER, ServerModel::oneHolder),
                new Invariant<>(NO_ORPHAN, this::noOrphan),
                new Invariant<>(NO_REVIVAL, state -> !state.revived()));
        return all.filter(invariant -> bounds.promised().contains(invariant.name()))
                .toList();
    }

    private static boolean oneHolder(ServerState state) {
        long holders = state.clients().stream()
                .filter(client -> client.phase() == Phase.HOLDING && client.valid() > 0)
                .count();
        return holders <= 1;
    }

    /** A stored field belongs to an acquisition that goes on, or to a request on its way. */
    private boolean noOrphan(ServerState state) {
        Key key = state.key();
        if (key == null) {
            return true;
        }
        Client owner = state.clients().get(key.client());
        boolean goesOn =
                owner.phase() == Phase.PASSING || owner.phase() != Phase.IDLE && field(owner.number()) == key.field();
        return goesOn || !owner.sent().isEmpty();
    }
}
