package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.RedLockState.Answer;
import io.holdfast.lock.tests.models.RedLockState.Client;
import io.holdfast.lock.tests.models.RedLockState.Key;
import io.holdfast.lock.tests.models.RedLockState.Kind;
import io.holdfast.lock.tests.models.RedLockState.Link;
import io.holdfast.lock.tests.models.RedLockState.Node;
import io.holdfast.lock.tests.models.RedLockState.Phase;
import io.holdfast.lock.tests.models.RedLockState.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How a RedLock excludes: three nodes, and clients that acquire, renew, give up and release.
 *
 * <p>A client that crashed is one that does nothing more, and every client may do nothing more at any time; so is one
 * whose caller was interrupted one that gives up. Fencing tokens have a model of their own.
 */
final class RedLockModel implements Model<RedLockState> {
    static final String ONE_HOLDER = "one holder";
    static final String NO_ORPHAN = "no orphan";

    private static final int NODES = 3;

    private final Set<RedLockRule> rules;
    private final RedLockBounds bounds;
    private final Numbering numbering = new Numbering();

    RedLockModel(Set<RedLockRule> rules, RedLockBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public RedLockState start() {
        List<Client> clients = bounds.rounds.stream()
                .map(rounds -> new Client(Phase.IDLE, 0, rounds, bounds.renewals))
                .toList();
        Node node = new Node(null, 0, Collections.nCopies(clients.size(), Link.IDLE));
        return new RedLockState(Collections.nCopies(NODES, node), clients, bounds.losses, bounds.restarts);
    }

    @Override
    public void steps(RedLockState state, Steps<RedLockState> steps) {
        for (int client = 0; client < state.clients().size(); client++) {
            clientSteps(state, client, steps);
        }
        for (int node = 0; node < NODES; node++) {
            for (int client = 0; client < state.clients().size(); client++) {
                linkSteps(state, node, client, steps);
            }
            if (state.restarts() > 0) {
                restart(state, node, steps);
            }
        }
        steps.step(tick(state), () -> "time passes");
    }

    // What a client does by itself.

    private void clientSteps(RedLockState state, int client, Steps<RedLockState> steps) {
        Client self = state.client(client);
        switch (self.phase()) {
            case IDLE -> {
                if (self.rounds() > 0) {
                    steps.step(
                            ask(state, client),
                            Model.text("client %d starts round %d: acquire to A, B, C", client + 1, self.round() + 1));
                }
            }
            case ASKING ->
                steps.step(
                        undo(state, client), Model.text("client %d gives up round %d: undo", client + 1, self.round()));
            case HOLDING -> {
                steps.step(undo(state, client), Model.text("client %d releases round %d", client + 1, self.round()));
                if (self.renewals() > 0) {
                    steps.step(renew(state, client), Model.text("client %d renews: to all that granted", client + 1));
                }
            }
        }
        if (rules.contains(RedLockRule.SETTLED)) {
            for (int node = 0; node < NODES; node++) {
                settle(state, node, client, steps);
            }
        }
    }

    private RedLockState ask(RedLockState state, int client) {
        Client self = state.client(client).nextRound();
        Request acquire = new Request(Kind.ACQUIRE, self.round());
        return state.with(client, self)
                .onAll(client, link -> link.asked(bounds.lease).send(acquire));
    }

    private RedLockState renew(RedLockState state, int client) {
        Client self = state.client(client).renewed();
        Request renewal = new Request(Kind.RENEW, self.round());
        return state.with(client, self)
                .onAll(
                        client,
                        link -> link.granted() && link.requests().isEmpty() && link.answer() == Answer.NONE
                                ? link.asked(bounds.lease).send(renewal)
                                : link);
    }

    /** Rollback, release and the clean-up after a loss are the same: the round is over, and its field must go. */
    private RedLockState undo(RedLockState state, int client) {
        Client self = state.client(client);
        boolean keepsCount = !rules.contains(RedLockRule.ROUNDS_APART) && self.phase() == Phase.ASKING;
        return state.with(client, self.in(Phase.IDLE)).onAll(client, link -> {
            Link after = link.answer(Answer.NONE).asked(0).valid(keepsCount ? link.valid() : -1);
            boolean told = link.granted() || link.silent() && rules.contains(RedLockRule.ROLLBACK_ON_SILENT);
            return told
                    ? after.owed(link.owed() | bit(self.round())).send(new Request(Kind.RELEASE, self.round()))
                    : after;
        });
    }

    /** The settler repeats an undo that was not confirmed. */
    private void settle(RedLockState state, int node, int client, Steps<RedLockState> steps) {
        Link link = state.link(node, client);
        for (int round = 1; link.requests().isEmpty() && bit(round) <= link.owed(); round++) {
            if ((link.owed() & bit(round)) != 0) {
                steps.step(
                        state.with(node, client, link.send(new Request(Kind.RELEASE, round))),
                        Model.text("client %d repeats to %c the undo of round %d", client + 1, 'A' + node, round));
            }
        }
    }

    // What happens to messages.

    private void linkSteps(RedLockState state, int node, int client, Steps<RedLockState> steps) {
        Link link = state.link(node, client);
        if (!link.requests().isEmpty()) {
            Request request = link.requests().get(0);
            RedLockState sent = state.with(node, client, link.advance());
            steps.step(execute(sent, node, client, request, true), request(node, client, request, "executes"));
            if (request.kind() == Kind.RELEASE && state.losses() > 0) {
                steps.step(
                        execute(sent, node, client, request, false).oneLossLess(),
                        request(node, client, request, "executes, and its answer is lost,"));
                steps.step(sent.oneLossLess(), request(node, client, request, "never gets"));
            }
        }
        if (link.answer() != Answer.NONE) {
            steps.step(
                    receive(state, node, client),
                    Model.text("client %d hears from %c: %s", client + 1, 'A' + node, link.answer()));
        }
    }

    private RedLockState execute(RedLockState state, int node, int client, Request request, boolean answers) {
        Node self = state.nodes().get(node);
        Key own = new Key(client, field(request.round()), bounds.lease);
        boolean isOwn = self.key() != null
                && self.key().client() == client
                && self.key().number() == own.number();
        boolean current = isCurrent(state, client, request);
        switch (request.kind()) {
            case ACQUIRE -> {
                boolean leftOut = self.young() > 0 && rules.contains(RedLockRule.QUARANTINE);
                if (leftOut || self.key() != null && !isOwn) {
                    return current
                            ? state.with(node, client, state.link(node, client).asked(0))
                            : state;
                }
                RedLockState granted = state.with(node, self.with(own));
                return current
                        ? granted.with(node, client, granted.link(node, client).answer(Answer.YES))
                        : granted;
            }
            case RENEW -> {
                RedLockState after = isOwn ? state.with(node, self.with(own)) : state;
                Answer answer = isOwn ? Answer.YES : Answer.GONE;
                return current
                        ? after.with(node, client, after.link(node, client).answer(answer))
                        : after;
            }
            case RELEASE -> {
                boolean deletes = isOwn || !rules.contains(RedLockRule.RELEASE_OWN_FIELD);
                RedLockState after = deletes ? state.with(node, self.with((Key) null)) : state;
                Link link = after.link(node, client);
                return answers ? after.with(node, client, link.owed(link.owed() & ~bit(request.round()))) : after;
            }
        }
        throw new AssertionError(request);
    }

    private static boolean isCurrent(RedLockState state, int client, Request request) {
        Client self = state.client(client);
        return self.phase() != Phase.IDLE && self.round() == request.round();
    }

    private RedLockState receive(RedLockState state, int node, int client) {
        Link link = state.link(node, client);
        int valid = rules.contains(RedLockRule.VALID_FROM_SEND) ? link.asked() : bounds.lease;
        Link heard = link.answer(Answer.NONE).asked(0).valid(link.answer() == Answer.YES ? valid : -1);
        RedLockState after = state.with(node, client, heard);
        Client self = state.client(client);
        if (self.phase() == Phase.ASKING) {
            return mayHandOut(after, client) ? after.with(client, self.in(Phase.HOLDING)) : after;
        }
        return latchLoss(after, client);
    }

    private boolean mayHandOut(RedLockState state, int client) {
        return granted(state, client) >= majority()
                && (validity(state, client) > 0 || !rules.contains(RedLockRule.STILL_VALID));
    }

    // Time, and what it takes away.

    private RedLockState tick(RedLockState state) {
        List<Node> nodes = new ArrayList<>(NODES);
        for (Node node : state.nodes()) {
            Key key = node.key();
            Key aged = key == null || key.left() == 1 ? null : new Key(key.client(), key.number(), key.left() - 1);
            List<Link> links = new ArrayList<>(node.links().size());
            for (Link link : node.links()) {
                int valid = link.granted() ? Math.max(0, link.valid() - 1) : -1;
                links.add(link.asked(Math.max(0, link.asked() - 1)).valid(valid));
            }
            nodes.add(new Node(aged, Math.max(0, node.young() - 1), List.copyOf(links)));
        }
        RedLockState after = new RedLockState(List.copyOf(nodes), state.clients(), state.losses(), state.restarts());
        for (int client = 0; client < state.clients().size(); client++) {
            after = latchLoss(after, client);
        }
        return after;
    }

    /** A hold whose validity is over is lost for good, and undone. */
    private RedLockState latchLoss(RedLockState state, int client) {
        boolean lost = state.client(client).phase() == Phase.HOLDING && validity(state, client) <= 0;
        return lost ? undo(state, client) : state;
    }

    private void restart(RedLockState state, int node, Steps<RedLockState> steps) {
        List<Link> links = new ArrayList<>();
        for (Link link : state.nodes().get(node).links()) {
            links.add(new Link(List.of(), link.answer(), link.asked(), link.valid(), link.owed()));
        }
        Node forgetful = new Node(null, bounds.lease, List.copyOf(links));
        steps.step(
                state.with(node, forgetful).oneRestartLess(), Model.text("%c restarts without its data", 'A' + node));
    }

    // What a client believes.

    /** The validity that most of the nodes grant at least. */
    private int validity(RedLockState state, int client) {
        int[] valid = new int[NODES];
        for (int node = 0; node < NODES; node++) {
            valid[node] = state.link(node, client).valid();
        }
        Arrays.sort(valid);
        boolean perNode = rules.contains(RedLockRule.VALIDITY_PER_NODE);
        return perNode || granted(state, client) < majority() ? valid[NODES - majority()] : valid[NODES - 1];
    }

    private int granted(RedLockState state, int client) {
        int granted = 0;
        for (int node = 0; node < NODES; node++) {
            granted += state.link(node, client).granted() ? 1 : 0;
        }
        return granted;
    }

    private int majority() {
        return rules.contains(RedLockRule.MAJORITY) ? NODES / 2 + 1 : 1;
    }

    private int field(int round) {
        return rules.contains(RedLockRule.FIELD_PER_ROUND) ? round : 1;
    }

    private static int bit(int round) {
        return 1 << round;
    }

    // What must hold.

    @Override
    public List<Invariant<RedLockState>> invariants() {
        return List.of(
                new Invariant<>(ONE_HOLDER, RedLockModel::oneHolder), new Invariant<>(NO_ORPHAN, this::noOrphan));
    }

    private static boolean oneHolder(RedLockState state) {
        int holders = 0;
        for (Client client : state.clients()) {
            holders += client.phase() == Phase.HOLDING ? 1 : 0;
        }
        return holders <= 1;
    }

    /** A field is stored for a round that goes on, or the client will still undo it. */
    private boolean noOrphan(RedLockState state) {
        for (Node node : state.nodes()) {
            Key key = node.key();
            if (key != null) {
                Client owner = state.client(key.client());
                Link link = node.links().get(key.client());
                boolean goesOn = owner.phase() != Phase.IDLE && field(owner.round()) == key.number();
                if (!goesOn && link.requests().isEmpty() && !settles(link)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean settles(Link link) {
        return link.owed() != 0 && rules.contains(RedLockRule.SETTLED);
    }

    /** Which node is called A does not matter. */
    @Override
    public Object identity(RedLockState state) {
        return numbering.identity(state.nodes(), List.of(state.clients(), state.losses(), state.restarts()));
    }

    private static Supplier<String> request(int node, int client, Request request, String what) {
        return Model.text(
                "%c %s %s of client %d, round %d",
                'A' + node,
                what,
                request.kind().name().toLowerCase(java.util.Locale.ROOT),
                client + 1,
                request.round());
    }
}
