package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.TokenState.Client;
import io.holdfast.lock.tests.models.TokenState.Key;
import io.holdfast.lock.tests.models.TokenState.Link;
import io.holdfast.lock.tests.models.TokenState.Node;
import io.holdfast.lock.tests.models.TokenState.Phase;
import io.holdfast.lock.tests.models.TokenState.Request;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the tokens of a RedLock increase: in the order in which locks are handed out, over nodes whose clocks differ.
 *
 * <p>Exclusion has a model of its own, so leases are simple here: a key stays at least as long as its round is valid,
 * and is as good as gone after. An acquire that comes after its round was given up is left out: all it does is to raise a
 * stored token.
 */
final class TokenModel implements Model<TokenState> {
    static final String TOKENS_INCREASE = "tokens increase";

    private static final int MAJORITY = 2;

    private final Set<TokenRule> rules;
    private final TokenBounds bounds;
    private final Numbering numbering = new Numbering();

    TokenModel(Set<TokenRule> rules, TokenBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public TokenState start() {
        int clients = bounds.rounds.size();
        return new TokenState(
                bounds.clocks.stream()
                        .map(clock -> new Node(clock, 0, null, Collections.nCopies(clients, Link.IDLE)))
                        .toList(),
                bounds.rounds.stream()
                        .map(rounds -> new Client(Phase.IDLE, 0, rounds, 0, false, 0))
                        .toList(),
                0,
                true);
    }

    @Override
    public void steps(TokenState state, Steps<TokenState> steps) {
        for (int client = 0; client < state.clients().size(); client++) {
            clientSteps(state, client, steps);
            for (int node = 0; node < state.nodes().size(); node++) {
                linkSteps(state, node, client, steps);
            }
        }
    }

    private void clientSteps(TokenState state, int client, Steps<TokenState> steps) {
        Client self = state.clients().get(client);
        String name = "client " + (client + 1);
        if (self.phase() == Phase.IDLE) {
            if (self.rounds() > 0) {
                steps.step(
                        ask(state, client),
                        () -> name + " starts round " + (self.round() + 1) + ", proposes " + (self.seen() + 1));
            }
            return;
        }
        steps.step(end(state, client), () -> name + " ends round " + self.round());
        if (self.valid() && self.phase() != Phase.HOLDING && !rules.contains(TokenRule.STILL_VALID)) {
            Client late = new Client(self.phase(), self.round(), self.rounds(), self.seen(), false, self.target());
            steps.step(state.with(client, late), () -> "the validity of " + name + "'s round passes");
        }
    }

    private TokenState ask(TokenState state, int client) {
        Client self = state.clients().get(client);
        int round = self.round() + 1;
        TokenState next = state.with(client, new Client(Phase.ASKING, round, self.rounds() - 1, self.seen(), true, 0));
        for (int node = 0; node < state.nodes().size(); node++) {
            next = send(next, node, client, new Request(false, round, self.seen() + 1));
        }
        return next;
    }

    private TokenState end(TokenState state, int client) {
        Client self = state.clients().get(client);
        TokenState next =
                state.with(client, new Client(Phase.IDLE, self.round(), self.rounds(), self.seen(), false, 0));
        for (int node = 0; node < state.nodes().size(); node++) {
            List<Request> late = next.link(node, client).requests().stream()
                    .filter(Request::writesBack)
                    .toList();
            next = next.with(node, client, new Link(late, 0, 0));
        }
        return next;
    }

    private void linkSteps(TokenState state, int node, int client, Steps<TokenState> steps) {
        Link link = state.link(node, client);
        char to = (char) ('A' + node);
        if (!link.requests().isEmpty()
                && mayExecute(state, node, link.requests().get(0))) {
            Request request = link.requests().get(0);
            String what = request.writesBack() ? "write-back of " + request.token() : "acquire";
            steps.step(
                    execute(state, node, client, request),
                    () -> to + " executes " + what + " of client " + (client + 1) + ", round " + request.round());
        }
        if (!link.requests().isEmpty() && isFree(state, state.nodes().get(node).key())) {
            Node without = state.nodes().get(node).with(state.nodes().get(node).stored(), null);
            if (link.requests().get(0).writesBack()) {
                steps.step(
                        execute(
                                state.with(node, without),
                                node,
                                client,
                                link.requests().get(0)),
                        () -> to + "'s key expires; then it executes the write-back of client " + (client + 1));
            }
        }
        if (link.answer() > 0) {
            steps.step(
                    receive(state, node, client),
                    () -> "client " + (client + 1) + " hears from " + to + ": token " + link.answer());
        }
    }

    private TokenState execute(TokenState state, int node, int client, Request request) {
        Link link = state.link(node, client);
        TokenState sent =
                state.with(node, client, new Link(Lists.withoutFirst(link.requests()), link.answer(), link.token()));
        Node self = sent.nodes().get(node);
        Key key = self.key();
        int token;
        if (!request.writesBack()) {
            token = mint(self, request.token());
            sent = sent.with(node, self.with(token, new Key(client, request.round())));
        } else {
            token = request.token();
            boolean isOwn = key != null && key.client() == client && key.round() == request.round();
            if (isOwn) {
                sent = sent.with(node, self.with(Math.max(self.stored(), token), key));
            } else if (!rules.contains(TokenRule.WRITE_BACK_OWN_FIELD)) {
                sent = sent.with(node, self.with(token, key));
            } else {
                return sent;
            }
        }
        Client asker = state.clients().get(client);
        boolean current = asker.phase() != Phase.IDLE && asker.round() == request.round();
        Link after = sent.link(node, client);
        return current ? sent.with(node, client, new Link(after.requests(), token, after.token())) : sent;
    }

    private int mint(Node node, int proposed) {
        boolean above =
                proposed > node.stored() || proposed == node.stored() && !rules.contains(TokenRule.STRICTLY_GREATER);
        if (above && proposed >= node.clock()) {
            return proposed;
        }
        return rules.contains(TokenRule.ABOVE_STORED) ? Math.max(node.stored() + 1, node.clock()) : node.clock();
    }

    private TokenState receive(TokenState state, int node, int client) {
        Link link = state.link(node, client);
        Client self = state.clients().get(client);
        Client wiser = new Client(
                self.phase(),
                self.round(),
                self.rounds(),
                Math.max(self.seen(), link.answer()),
                self.valid(),
                self.target());
        TokenState next = state.with(node, client, new Link(link.requests(), 0, link.answer()))
                .with(client, wiser);
        if (self.phase() == Phase.ASKING && granted(next, client, 1) >= MAJORITY) {
            next = decide(next, client);
        }
        return mayHandOut(next, client) ? handOut(next, client) : next;
    }

    /** A majority has granted: the highest of its tokens is the lock's, and is written back where it is not yet. */
    private TokenState decide(TokenState state, int client) {
        Client self = state.clients().get(client);
        int highest = 0;
        for (int node = 0; node < state.nodes().size(); node++) {
            highest = Math.max(highest, state.link(node, client).token());
        }
        TokenState next = state.with(
                client, new Client(Phase.WRITING, self.round(), self.rounds(), self.seen(), self.valid(), highest));
        for (int node = 0; node < state.nodes().size() && rules.contains(TokenRule.WRITE_BACK); node++) {
            int token = next.link(node, client).token();
            if (token > 0 && token < highest) {
                next = send(next, node, client, new Request(true, self.round(), highest));
            }
        }
        return next;
    }

    private boolean mayHandOut(TokenState state, int client) {
        Client self = state.clients().get(client);
        boolean confirmed = granted(state, client, self.target()) >= MAJORITY
                || !rules.contains(TokenRule.WRITE_BACK_CONFIRMED)
                || !rules.contains(TokenRule.WRITE_BACK);
        return self.phase() == Phase.WRITING && confirmed && (self.valid() || !rules.contains(TokenRule.STILL_VALID));
    }

    private static TokenState handOut(TokenState state, int client) {
        Client self = state.clients().get(client);
        return state.with(client, self.in(Phase.HOLDING)).handedOut(self.target());
    }

    /** How many nodes are known to hold at least this token for the client. */
    private static int granted(TokenState state, int client, int token) {
        int granted = 0;
        for (int node = 0; node < state.nodes().size(); node++) {
            granted += state.link(node, client).token() >= token ? 1 : 0;
        }
        return granted;
    }

    /** An acquire that is refused is as good as one that is not executed. */
    private static boolean mayExecute(TokenState state, int node, Request request) {
        return request.writesBack() || isFree(state, state.nodes().get(node).key());
    }

    /** A key whose round is over is as good as none: it may have expired, or been released. */
    private static boolean isFree(TokenState state, @Nullable Key key) {
        if (key == null) {
            return true;
        }
        Client owner = state.clients().get(key.client());
        return owner.phase() == Phase.IDLE || owner.round() != key.round() || !owner.valid();
    }

    private static TokenState send(TokenState state, int node, int client, Request request) {
        Link link = state.link(node, client);
        return state.with(
                node, client, new Link(Lists.appended(link.requests(), request), link.answer(), link.token()));
    }

    @Override
    public List<Invariant<TokenState>> invariants() {
        return List.of(new Invariant<>(TOKENS_INCREASE, TokenState::increased));
    }

    @Override
    public Object identity(TokenState state) {
        return numbering.identity(state.nodes(), List.of(state.clients(), state.newest(), state.increased()));
    }
}
