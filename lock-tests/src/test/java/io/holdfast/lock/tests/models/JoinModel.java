package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.JoinState.Answer;
import io.holdfast.lock.tests.models.JoinState.Client;
import io.holdfast.lock.tests.models.JoinState.Key;
import io.holdfast.lock.tests.models.JoinState.Kind;
import io.holdfast.lock.tests.models.JoinState.Link;
import io.holdfast.lock.tests.models.JoinState.Node;
import io.holdfast.lock.tests.models.JoinState.Phase;
import io.holdfast.lock.tests.models.JoinState.Request;
import io.holdfast.lock.tests.models.JoinState.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How a hold over several nodes regains a node that refused, was away or has forgotten: three nodes, a client that
 * acquires, renews, enters again, joins and releases, and one that acquires and releases.
 *
 * <p>Every client may do nothing more at any time, so a crash needs no step of its own.
 */
final class JoinModel implements Model<JoinState> {
    static final String ONE_HOLDER = "one holder";
    static final String IS_THERE = "counted is there";
    static final String NO_ORPHAN = "no orphan";
    static final String NO_REVIVAL = "no revival";
    static final String STAYS_GONE = "gone stays gone";
    static final String NODES_AGREE = "nodes agree";
    static final String TOKENS_INCREASE = "tokens increase";

    private static final int NODES = 3;
    private static final int MAJORITY = 2;
    private static final int UNKNOWN = -1;

    /** The client that renews and joins. */
    private static final int JOINER = 0;

    private final Set<JoinRule> rules;
    private final JoinBounds bounds;
    private final Numbering numbering = new Numbering();

    JoinModel(Set<JoinRule> rules, JoinBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public JoinState start() {
        List<Client> clients = new ArrayList<>();
        for (int rounds : bounds.rounds) {
            boolean first = clients.isEmpty();
            clients.add(new Client(
                    Phase.IDLE,
                    0,
                    rounds,
                    0,
                    0,
                    first ? bounds.does.renewals() : 0,
                    first ? bounds.does.joins() : 0,
                    first ? bounds.does.entries() : 0,
                    -1));
        }
        Node node = new Node(null, 0, 0, Collections.nCopies(clients.size(), Link.IDLE));
        JoinState start =
                new JoinState(Collections.nCopies(NODES, node), List.copyOf(clients), bounds.trouble, 0, true);
        return bounds.does.holds() ? holding(start) : start;
    }

    /** The first client holds the lock by two nodes; the third refused. */
    private JoinState holding(JoinState start) {
        Client asked = start.client(JOINER).asks();
        int lease = bounds.leases.get(JOINER);
        Key key = new Key(JOINER, asked.round(), asked.count(), 0, lease);
        JoinState state = start.with(JOINER, asked.in(Phase.HOLDING));
        for (int node = 0; node < MAJORITY; node++) {
            Link link = state.link(node, JOINER)
                    .fresh(Standing.GRANTED)
                    .in(Standing.GRANTED, lease)
                    .knows(asked.count(), 0);
            state = state.with(node, state.nodes().get(node).with(key).with(JOINER, link));
        }
        return state;
    }

    @Override
    public void steps(JoinState state, Steps<JoinState> steps) {
        for (int client = 0; client < state.clients().size(); client++) {
            clientSteps(state, client, steps);
        }
        for (int node = 0; node < NODES; node++) {
            for (int client = 0; client < state.clients().size(); client++) {
                linkSteps(state, node, client, steps);
            }
            nodeSteps(state, node, steps);
        }
        if (bounds.isTimed()) {
            steps.step(tick(state), () -> "time passes");
        }
    }

    // What a client does by itself.

    private void clientSteps(JoinState state, int client, Steps<JoinState> steps) {
        Client self = state.client(client);
        String name = "client " + (client + 1);
        switch (self.phase()) {
            case IDLE -> {
                if (self.rounds() > 0) {
                    steps.step(ask(state, client), Model.text("%s starts round %d", name, self.round() + 1));
                }
            }
            case ASKING, WRITING -> {
                if (client != JOINER && bounds.does.ends()) {
                    steps.step(end(state, client), Model.text("%s gives up round %d", name, self.round()));
                }
            }
            case WAITING -> {}
            case HOLDING -> {
                if (bounds.does.ends()) {
                    steps.step(end(state, client), Model.text("%s releases round %d", name, self.round()));
                }
                if (self.renewals() > 0) {
                    steps.step(renew(state, client), Model.text("%s renews", name));
                }
                if (self.entries() > 0) {
                    int count = 3 - self.count();
                    steps.step(enter(state, client, count), Model.text("%s changes its count to %d", name, count));
                }
                for (int node = 0; node < NODES; node++) {
                    holdSteps(state, node, client, steps);
                }
            }
        }
        for (int node = 0; node < NODES; node++) {
            settle(state, node, client, steps);
        }
    }

    private JoinState ask(JoinState state, int client) {
        Client self = state.client(client).asks();
        Request acquire = request(Kind.ACQUIRE, self, client, false);
        return state.with(client, self)
                .onAll(client, link -> link.fresh(Standing.ASKED).send(acquire));
    }

    private Request request(Kind kind, Client self, int client, boolean confirms) {
        return new Request(kind, self.round(), self.count(), self.token(), bounds.leases.get(client), confirms);
    }

    private JoinState renew(JoinState state, int client) {
        Client self = state.client(client).renewed();
        boolean confirms = has(state, client, Standing.NEW);
        Request renewal = request(Kind.RENEW, self, client, confirms);
        return state.with(client, self)
                .onAll(client, link -> link.has() && !link.awaits(Kind.RENEW) ? link.send(renewal) : link);
    }

    private JoinState enter(JoinState state, int client, int count) {
        Client self = state.client(client).counts(count);
        Request entry = request(Kind.REENTER, self, client, false);
        return state.with(client, self).onAll(client, link -> link.has() ? tell(link, entry) : link);
    }

    /** Until it is answered, what the node has is not known. */
    private static Link tell(Link link, Request entry) {
        return link.send(entry).knows(UNKNOWN, link.token());
    }

    /** What a holder does at one node: it joins, or tells the node what it does not have yet. */
    private void holdSteps(JoinState state, int node, int client, Steps<JoinState> steps) {
        Client self = state.client(client);
        Link link = state.link(node, client);
        if (self.joins() > 0 && mayJoin(state, node, client)) {
            Link joining = link.send(request(Kind.JOIN, self, client, false));
            steps.step(
                    state.with(client, self.joined())
                            .with(node, client, link.has() ? joining : joining.in(Standing.JOINING, 0)),
                    Model.text("client %d sends a join to %c", client + 1, 'A' + node));
        }
        if (link.has() && link.count() != self.count() && !link.awaits(Kind.REENTER)) {
            steps.step(
                    state.with(node, client, tell(link, request(Kind.REENTER, self, client, false))),
                    Model.text("client %d tells %c the count %d", client + 1, 'A' + node, self.count()));
        }
        if (link.has() && link.token() != self.token() && !link.awaits(Kind.ADOPT)) {
            steps.step(
                    state.with(node, client, link.send(request(Kind.ADOPT, self, client, false))),
                    Model.text("client %d tells %c the token %d", client + 1, 'A' + node, self.token()));
        }
    }

    private boolean mayJoin(JoinState state, int node, int client) {
        Link link = state.link(node, client);
        boolean counts = link.standing() == Standing.GRANTED;
        boolean free = link.standing() == Standing.NONE || link.standing() == Standing.OVER;
        boolean undone = (link.owed() & bit(state.client(client).round())) == 0;
        return (free || counts && !rules.contains(JoinRule.UNCOUNTED))
                && !link.awaits(Kind.JOIN)
                && (undone || !rules.contains(JoinRule.UNDO_CONFIRMED))
                && (!link.vanished() || !rules.contains(JoinRule.VANISHED_STAYS));
    }

    /** Rollback, release and the clean-up after a loss are the same: the round is over, and its field must go. */
    private JoinState end(JoinState state, int client) {
        Client self = state.client(client);
        return state.with(client, self.ends()).onAll(client, link -> undo(link, self.round()));
    }

    private Link undo(Link link, int round) {
        boolean told = link.standing() == Standing.JOINING
                ? rules.contains(JoinRule.RELEASED)
                : link.standing() != Standing.NONE;
        return told && bounds.does.ends() ? sendUndo(link, round).fresh(Standing.NONE) : link.fresh(Standing.NONE);
    }

    private Link sendUndo(Link link, int round) {
        List<Request> requests = new ArrayList<>(link.requests());
        requests.add(rules.contains(JoinRule.BEHIND) ? requests.size() : 0, Request.undo(round));
        return link.queue(List.copyOf(requests)).owed(link.owed() | bit(round));
    }

    /** The settler repeats an undo that was not confirmed. */
    private void settle(JoinState state, int node, int client, Steps<JoinState> steps) {
        Link link = state.link(node, client);
        if (link.awaits(Kind.UNDO)) {
            return;
        }
        for (int round = 1; bit(round) <= link.owed(); round++) {
            if ((link.owed() & bit(round)) != 0) {
                steps.step(
                        state.with(node, client, link.send(Request.undo(round))),
                        Model.text("client %d repeats to %c the undo of round %d", client + 1, 'A' + node, round));
            }
        }
    }

    // What happens to messages.

    private void linkSteps(JoinState state, int node, int client, Steps<JoinState> steps) {
        Link link = state.link(node, client);
        String to = Character.toString('A' + node);
        if (!link.requests().isEmpty()) {
            Request request = link.requests().get(0);
            JoinState sent = state.with(node, client, link.queue(Lists.withoutFirst(link.requests())));
            JoinState executed = execute(sent, node, client, request);
            steps.step(executed, Model.text("%s executes %s", to, describe(request, client)));
            if (request.kind() == Kind.UNDO && state.trouble().breaks() > 0) {
                Link unsure = executed.link(node, client).owed(link.owed());
                steps.step(
                        broken(executed.with(node, client, unsure), node, client)
                                .with(state.trouble().afterBreak()),
                        Model.text("%s executes %s, and the connection breaks", to, describe(request, client)));
            }
        }
        if (!link.answers().isEmpty()) {
            Answer answer = link.answers().get(0);
            JoinState heard = state.with(node, client, link.answers(Lists.withoutFirst(link.answers())));
            steps.step(
                    receive(heard, node, client, answer),
                    Model.text(
                            "client %d hears %s from %s: %s",
                            client + 1, describe(answer.request(), client), to, answer.yes() ? "done" : "gone"));
        }
        if (!link.isQuiet() && state.trouble().breaks() > 0) {
            steps.step(
                    broken(state, node, client).with(state.trouble().afterBreak()),
                    Model.text("the connection of client %d to %s breaks", client + 1, to));
        }
    }

    private JoinState execute(JoinState state, int node, int client, Request request) {
        Node self = state.nodes().get(node);
        Key key = self.key();
        boolean isOwn = key != null && key.isOf(client, request.round());
        int lease = bounds.leases.get(client);
        switch (request.kind()) {
            case ACQUIRE -> {
                if (self.young() > 0 || key != null && !isOwn) {
                    return refuse(state, node, client, request);
                }
                int token = bounds.tokens ? self.clock() + 1 : 0;
                Key granted = new Key(client, request.round(), 1, token, lease);
                return answer(state.with(node, self.with(granted, token)), node, client, request, token, true);
            }
            case JOIN -> {
                if (key != null && !isOwn && rules.contains(JoinRule.OWN_OR_FREE)) {
                    return refuse(state, node, client, request);
                }
                return answer(state.with(node, joined(self, client, request)), node, client, request, true);
            }
            case RENEW -> {
                return answer(
                        isOwn ? state.with(node, self.with(key.raised(lease))) : state, node, client, request, isOwn);
            }
            case REENTER -> {
                Node after = isOwn ? self.with(key.raised(lease).counted(request.count())) : self;
                return answer(state.with(node, after), node, client, request, isOwn);
            }
            case ADOPT -> {
                int clock = Math.max(self.clock(), request.token());
                Node after = isOwn ? self.with(key.named(request.token()), clock) : self;
                return answer(state.with(node, after), node, client, request, isOwn);
            }
            case UNDO -> {
                JoinState after = isOwn ? state.with(node, self.with(null)) : state;
                Link link = after.link(node, client);
                boolean comesAgain = link.requests().contains(request);
                return comesAgain ? after : after.with(node, client, link.owed(link.owed() & ~bit(request.round())));
            }
        }
        throw new AssertionError(request);
    }

    /** The node after a join that it does not refuse. */
    private Node joined(Node self, int client, Request request) {
        Key key = self.key();
        boolean isOwn = key != null && key.isOf(client, request.round());
        int left = isOwn ? Math.max(key.left(), bounds.leases.get(client)) : bounds.leases.get(client);
        int count = rules.contains(JoinRule.ABSOLUTE_COUNT) ? request.count() : 1;
        int token = rules.contains(JoinRule.TOKEN_KEPT) ? request.token() : 0;
        int clock = self.clock();
        if (request.token() > clock
                ? rules.contains(JoinRule.CLOCK_RAISED)
                : !rules.contains(JoinRule.CLOCK_NOT_LOWERED)) {
            clock = request.token();
        }
        return self.with(new Key(client, request.round(), count, token, left), clock);
    }

    private static JoinState refuse(JoinState state, int node, int client, Request request) {
        return isCurrent(state, client, request)
                ? state.with(node, client, state.link(node, client).in(Standing.NONE, 0))
                : state;
    }

    private static JoinState answer(JoinState state, int node, int client, Request request, boolean yes) {
        return answer(state, node, client, request, request.token(), yes);
    }

    private static JoinState answer(JoinState state, int node, int client, Request request, int token, boolean yes) {
        if (!isCurrent(state, client, request)) {
            return state;
        }
        Link link = state.link(node, client);
        boolean votes = state.nodes().get(node).young() == 0;
        Answer answer = new Answer(request.with(token), yes, votes);
        return state.with(node, client, link.answers(Lists.appended(link.answers(), answer)));
    }

    private static boolean isCurrent(JoinState state, int client, Request request) {
        Client self = state.client(client);
        return self.phase() != Phase.IDLE && self.round() == request.round();
    }

    private JoinState receive(JoinState state, int node, int client, Answer answer) {
        Link link = state.link(node, client);
        Request request = answer.request();
        Client self = state.client(client);
        boolean yes = answer.yes();
        switch (request.kind()) {
            case ACQUIRE -> {
                boolean late = self.phase() == Phase.HOLDING;
                Standing standing = request.left() > 0 ? Standing.GRANTED : Standing.OVER;
                Link granted = link.in(standing, request.left()).knows(1, request.token());
                JoinState after = state.with(node, client, granted);
                return late ? newAt(after, node, client) : decide(after, client);
            }
            case ADOPT -> {
                if (!yes) {
                    return gone(state, node, client, answer);
                }
                return handOut(state.with(node, client, link.knows(link.count(), request.token())), client);
            }
            case REENTER -> {
                if (!yes) {
                    return gone(state, node, client, answer);
                }
                return link.awaits(Kind.REENTER)
                        ? state
                        : state.with(node, client, link.knows(request.count(), link.token()));
            }
            case RENEW -> {
                if (!yes) {
                    return gone(state, node, client, answer);
                }
                if (!link.has()) {
                    return state;
                }
                Link renewed = link.in(link.standing(), Math.max(link.valid(), request.left()))
                        .confirmed(link.confirmed() || request.confirms());
                return confirm(state.with(node, client, renewed), client);
            }
            case JOIN -> {
                boolean votes = answer.votes() || state.nodes().get(node).young() == 0;
                if (!votes && rules.contains(JoinRule.VOTES)) {
                    return state.with(
                            node, client, sendUndo(link, request.round()).in(Standing.OVER, 0));
                }
                int count = rules.contains(JoinRule.COUNT_CORRECTED) ? request.count() : self.count();
                int left = rules.contains(JoinRule.VALID_FROM_SEND) ? request.left() : bounds.leases.get(client);
                int valid = Math.max(left, link.valid());
                Link joined = link.in(valid > 0 ? Standing.GRANTED : Standing.OVER, valid)
                        .knows(count, self.token());
                JoinState after = state.with(node, client, joined);
                if (self.phase() == Phase.WAITING) {
                    return validity(after, client) > 0 ? after.with(client, self.in(Phase.HOLDING)) : after;
                }
                return link.standing() == Standing.GRANTED ? after : newAt(after, node, client);
            }
            case UNDO -> throw new AssertionError(answer);
        }
        throw new AssertionError(answer);
    }

    /** A field came after the lock was handed out. */
    private JoinState newAt(JoinState state, int node, int client) {
        Link link = state.link(node, client);
        if (link.valid() == 0 || !rules.contains(JoinRule.CONFIRMED)) {
            return state;
        }
        JoinState after = state.onAll(client, JoinModel::unconfirmed);
        return after.with(node, client, unconfirmed(link).in(Standing.NEW, link.valid()));
    }

    private static Link unconfirmed(Link link) {
        return link.confirmed(false)
                .queue(link.requests().stream().map(Request::confirmingNothing).toList())
                .answers(link.answers().stream().map(Answer::confirmingNothing).toList());
    }

    /** Once a majority without the new node has confirmed the hold, the new one counts. */
    private static JoinState confirm(JoinState state, int client) {
        int confirmed = 0;
        for (int node = 0; node < NODES; node++) {
            Link link = state.link(node, client);
            confirmed += link.standing() == Standing.GRANTED && link.confirmed() ? 1 : 0;
        }
        if (confirmed < MAJORITY) {
            return state;
        }
        return state.onAll(client, link -> {
            Standing counts = link.standing() == Standing.NEW ? Standing.GRANTED : link.standing();
            return link.in(counts, link.valid()).confirmed(false);
        });
    }

    /** The node does not have the field. If it is the process that had it, somebody took the field away. */
    private JoinState gone(JoinState state, int node, int client, Answer answer) {
        Link link = state.link(node, client);
        if (!link.has()) {
            return state;
        }
        Link without = answer.votes() ? link.hasVanished() : link.in(Standing.OVER, 0);
        return latchLoss(state.with(node, client, without), client);
    }

    private JoinState broken(JoinState state, int node, int client) {
        Link link = state.link(node, client).queue(List.of()).answers(List.of());
        Client self = state.client(client);
        Link after =
                switch (link.standing()) {
                    case ASKED ->
                        self.phase() == Phase.HOLDING
                                ? sendUndo(link, self.round()).in(Standing.OVER, 0)
                                : link.in(Standing.BROKEN, 0);
                    case JOINING -> link.in(Standing.OVER, 0);
                    default -> link;
                };
        return state.with(node, client, after);
    }

    // How a round is won.

    private JoinState decide(JoinState state, int client) {
        Client self = state.client(client);
        if (self.phase() != Phase.ASKING || count(state, client, Standing.GRANTED) < MAJORITY) {
            return handOut(state, client);
        }
        int highest = 0;
        for (int node = 0; node < NODES; node++) {
            highest = Math.max(highest, state.link(node, client).token());
        }
        Client writes = self.writes(highest);
        Request adopt = request(Kind.ADOPT, writes, client, false);
        JoinState after = state.with(client, writes)
                .onAll(client, link -> link.has() && link.token() < adopt.token() ? link.send(adopt) : link);
        return handOut(after, client);
    }

    /** The lock is handed out when a majority has the token, and validity is positive. */
    private JoinState handOut(JoinState state, int client) {
        Client self = state.client(client);
        if (self.phase() != Phase.WRITING || validity(state, client) <= 0) {
            return state;
        }
        int agreed = 0;
        for (int node = 0; node < NODES; node++) {
            Link link = state.link(node, client);
            agreed += link.standing() == Standing.GRANTED && link.token() >= self.token() ? 1 : 0;
        }
        if (agreed < MAJORITY) {
            return state;
        }
        JoinState after = state.with(client, self.in(Phase.HOLDING))
                .onAll(
                        client,
                        link -> link.standing() == Standing.BROKEN
                                ? sendUndo(link, self.round()).in(Standing.OVER, 0)
                                : link);
        after = doom(after, client);
        return bounds.tokens ? after.handedOut(self.token()) : after;
    }

    /** Two clients take themselves for the holder, after a deletion: what has no majority is over a lease later. */
    private JoinState doom(JoinState state, int holder) {
        JoinState after = state;
        for (int client = 0; client < state.clients().size(); client++) {
            Client other = state.client(client);
            if (client != holder && other.phase() == Phase.WAITING) {
                after = after.with(client, other.doomed(0));
            } else if (client != holder && other.phase() == Phase.HOLDING && bounds.trouble.deletions() > 0) {
                after = doomWithoutMajority(doomWithoutMajority(after, client), holder);
            }
        }
        return after;
    }

    private JoinState doomWithoutMajority(JoinState state, int client) {
        return stored(state, client) < MAJORITY
                ? state.with(client, state.client(client).doomed(bounds.leases.get(client)))
                : state;
    }

    /** How many nodes have the field of the client's round. */
    private static int stored(JoinState state, int client) {
        int stored = 0;
        for (Node node : state.nodes()) {
            Key key = node.key();
            stored += key != null && key.isOf(client, state.client(client).round()) ? 1 : 0;
        }
        return stored;
    }

    // Time and trouble.

    private JoinState tick(JoinState state) {
        List<Node> nodes = new ArrayList<>(NODES);
        for (Node node : state.nodes()) {
            Key key = node.key();
            List<Link> links = new ArrayList<>(node.links().size());
            for (Link link : node.links()) {
                boolean over = link.has() && link.valid() <= 1;
                links.add(link.queue(
                                link.requests().stream().map(Request::older).toList())
                        .answers(link.answers().stream().map(Answer::older).toList())
                        .in(over ? Standing.OVER : link.standing(), Math.max(0, link.valid() - 1)));
            }
            Key aged = key == null || key.left() == 1 ? null : key.older();
            nodes.add(new Node(aged, node.clock(), Math.max(0, node.young() - 1), List.copyOf(links)));
        }
        JoinState after =
                new JoinState(List.copyOf(nodes), state.clients(), state.trouble(), state.newest(), state.increased());
        for (int client = 0; client < after.clients().size(); client++) {
            Client self = after.client(client);
            after = latchLoss(self.doomed() > 0 ? after.with(client, self.doomed(self.doomed() - 1)) : after, client);
        }
        return after;
    }

    /** A hold whose validity is over is lost for good, and undone. */
    private JoinState latchLoss(JoinState state, int client) {
        Client self = state.client(client);
        if (self.phase() != Phase.HOLDING || validity(state, client) > 0) {
            return state;
        }
        boolean waits = !rules.contains(JoinRule.LIVES) && has(state, client, Standing.JOINING);
        return waits ? state.with(client, self.in(Phase.WAITING).doomed(-1)) : end(state, client);
    }

    private void nodeSteps(JoinState state, int node, Steps<JoinState> steps) {
        Node self = state.nodes().get(node);
        Key key = self.key();
        if (state.trouble().deletions() > 0 && key != null) {
            steps.step(
                    state.with(node, self.with(null)).with(state.trouble().afterDeletion()),
                    Model.text("%c's key is deleted", 'A' + node));
        }
        if (state.trouble().restarts() > 0 && (!bounds.tokens || isEverywhere(state))) {
            int longest = Collections.max(bounds.leases);
            Node empty = new Node(null, 0, longest, self.links());
            Node full = new Node(key, self.clock(), longest, self.links());
            steps.step(
                    brokenForAll(state.with(node, empty), node)
                            .with(state.trouble().afterRestart()),
                    Model.text("%c restarts without its data", 'A' + node));
            steps.step(
                    brokenForAll(state.with(node, full), node)
                            .with(state.trouble().afterRestart()),
                    Model.text("%c restarts with its data", 'A' + node));
            steps.step(
                    state.with(node, empty).with(state.trouble().afterRestart()),
                    Model.text("%c restarts without its data; all requests to it are still to be written", 'A' + node));
        }
    }

    private JoinState brokenForAll(JoinState state, int node) {
        JoinState after = state;
        for (int client = 0; client < state.clients().size(); client++) {
            after = broken(after, node, client);
        }
        return after;
    }

    /** Whether a hold is at all nodes, and has nothing left to tell them. */
    private static boolean isEverywhere(JoinState state) {
        for (int client = 0; client < state.clients().size(); client++) {
            Client self = state.client(client);
            int has = 0;
            for (int node = 0; node < NODES; node++) {
                Link link = state.link(node, client);
                has += link.has() && link.isQuiet() && link.token() == self.token() ? 1 : 0;
            }
            if (self.phase() == Phase.HOLDING && has == NODES) {
                return true;
            }
        }
        return false;
    }

    // What a client believes.

    /** The validity that most of the nodes grant at least. */
    private static int validity(JoinState state, int client) {
        int[] valid = new int[NODES];
        for (int node = 0; node < NODES; node++) {
            Link link = state.link(node, client);
            valid[node] = link.standing() == Standing.GRANTED ? link.valid() : 0;
        }
        Arrays.sort(valid);
        return valid[NODES - MAJORITY];
    }

    private static int count(JoinState state, int client, Standing standing) {
        int count = 0;
        for (int node = 0; node < NODES; node++) {
            count += state.link(node, client).standing() == standing ? 1 : 0;
        }
        return count;
    }

    private static boolean has(JoinState state, int client, Standing standing) {
        return count(state, client, standing) > 0;
    }

    private static int bit(int round) {
        return 1 << round;
    }

    // What must hold.

    @Override
    public List<Invariant<JoinState>> invariants() {
        return List.of(
                new Invariant<>(ONE_HOLDER, JoinModel::oneHolder),
                new Invariant<>(IS_THERE, this::isThere),
                new Invariant<>(NO_ORPHAN, this::noOrphan),
                new Invariant<>(NO_REVIVAL, JoinModel::noRevival),
                new Invariant<>(STAYS_GONE, JoinModel::staysGone),
                new Invariant<>(NODES_AGREE, JoinModel::nodesAgree),
                new Invariant<>(TOKENS_INCREASE, JoinState::increased));
    }

    /** A hold that has lost its majority by a deletion may not know it yet, and is not counted. */
    private static boolean oneHolder(JoinState state) {
        int holders = 0;
        for (Client client : state.clients()) {
            holders += client.phase() == Phase.HOLDING && client.doomed() < 0 ? 1 : 0;
        }
        return holders <= 1;
    }

    /** A field is stored for a round that goes on, or the client will still undo it. */
    private boolean noOrphan(JoinState state) {
        if (!bounds.does.ends()) {
            return true;
        }
        for (Node node : state.nodes()) {
            Key key = node.key();
            if (key != null) {
                Client owner = state.client(key.client());
                boolean goesOn = owner.phase() != Phase.IDLE && owner.round() == key.round();
                boolean isOwed = (node.links().get(key.client()).owed() & bit(key.round())) != 0;
                if (!goesOn && !isOwed) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A hold is over a lease after another one was handed out, which takes a deletion. */
    private static boolean noRevival(JoinState state) {
        return state.clients().stream().noneMatch(client -> client.phase() == Phase.HOLDING && client.doomed() == 0);
    }

    /** A hold that was found gone at a majority is over. */
    private static boolean staysGone(JoinState state) {
        for (int client = 0; client < state.clients().size(); client++) {
            int vanished = 0;
            for (int node = 0; node < NODES; node++) {
                vanished += state.link(node, client).vanished() ? 1 : 0;
            }
            if (vanished >= MAJORITY && state.client(client).phase() == Phase.HOLDING) {
                return false;
            }
        }
        return true;
    }

    /** A node that has been told all stores what the holder has. */
    private static boolean nodesAgree(JoinState state) {
        for (Node node : state.nodes()) {
            Key key = node.key();
            if (key != null) {
                Client owner = state.client(key.client());
                Link link = node.links().get(key.client());
                boolean told = owner.isHolding(key.round()) && link.has() && link.isQuiet();
                boolean counts = link.count() != owner.count() || key.count() == owner.count();
                boolean names = link.token() != owner.token() || key.token() == owner.token();
                if (told && !(counts && names)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Where nothing forgets, a node that counts for a client has its field for at least as long. */
    private boolean isThere(JoinState state) {
        if (bounds.trouble.deletions() > 0 || bounds.trouble.restarts() > 0) {
            return true;
        }
        for (Node node : state.nodes()) {
            for (int client = 0; client < state.clients().size(); client++) {
                Link link = node.links().get(client);
                Key key = node.key();
                int round = state.client(client).round();
                if (link.has() && (key == null || !key.isOf(client, round) || key.left() < link.valid())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Which node is called A does not matter. */
    @Override
    public Object identity(JoinState state) {
        return numbering.identity(
                state.nodes(), List.of(state.clients(), state.trouble(), state.newest(), state.increased()));
    }

    private static String describe(Request request, int client) {
        return String.format(
                "%s of client %d, round %d",
                request.kind().name().toLowerCase(Locale.ROOT), client + 1, request.round());
    }
}
