package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.NodeTurnsState.Client;
import io.holdfast.lock.tests.models.NodeTurnsState.Link;
import io.holdfast.lock.tests.models.NodeTurnsState.Node;
import io.holdfast.lock.tests.models.NodeTurnsState.Phase;
import io.holdfast.lock.tests.models.NodeTurnsState.Request;
import io.holdfast.lock.tests.models.NodeTurnsState.Seen;
import java.util.List;
import java.util.Set;

/**
 * Turns over three nodes: a node that refuses a client keeps word of it, and reserves what is freed there for the client whose call waits
 * longest, for a grace. So all nodes that know of the same clients call the same one.
 *
 * <p>A node executes the requests of a client in order; what it answers, and tells, arrives at once. Time passes when nothing is on
 * its way. A client that got some nodes and no majority, and hears of no reservation, asks again when nothing is on its way: that is the
 * random pause, which lasts longer than a round.
 */
final class NodeTurnsModel implements Model<NodeTurnsState> {
    static final String ONE_HOLDER = "one holder";
    static final String NOT_IDLE = "not idle";
    static final String NO_SPLIT = "no split";
    static final String IN_ORDER = "in order";
    static final String NOT_STUCK = "not stuck";

    /** In ticks: a reservation for a client that does not come, and a round in which each gets a node. */
    private static final int LONGEST_IDLE = 1;

    private final Set<NodeTurnsRule> rules;
    private final NodeTurnsBounds bounds;

    NodeTurnsModel(Set<NodeTurnsRule> rules, NodeTurnsBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public NodeTurnsState start() {
        Node node = new Node(bounds.isHeld ? 1 : NodeTurnsState.NONE, false, false, List.of());
        List<Client> clients = bounds.calls.stream().map(Client::first).toList();
        if (bounds.isHeld) {
            Link granted = Link.IDLE.grants();
            Client holder = clients.get(0).with(List.of(granted, granted, granted));
            clients = Lists.replaced(clients, 0, holder.as(Phase.HOLDING));
        }
        return new NodeTurnsState(List.of(node, node, node), clients, 0, Seen.NOTHING, bounds.deaths);
    }

    @Override
    public Object identity(NodeTurnsState state) {
        return state.identity();
    }

    @Override
    public void steps(NodeTurnsState state, Steps<NodeTurnsState> steps) {
        if (state.seen().lapses() > bounds.lapses) {
            return;
        }
        for (int number = 1; number <= NodeTurnsState.CLIENTS; number++) {
            clientSteps(state, number, steps);
            for (int node = 0; node < NodeTurnsState.NODES; node++) {
                nodeStep(state, number, node, steps);
            }
        }
        boolean looks =
                state.clients().stream().anyMatch(client -> client.phase() == Phase.WAITING && client.look() == 0);
        if (state.isQuiet() && !looks) {
            steps.step(later(state), () -> "time passes");
        }
    }

    // What clients do.

    private static void clientSteps(NodeTurnsState state, int number, Steps<NodeTurnsState> steps) {
        Client self = state.client(number);
        if (self.phase() == Phase.DEAD) {
            return;
        }
        if (state.deaths() > 0 && self.phase() != Phase.IDLE) {
            steps.step(state.dies().with(number, Client.first(0).as(Phase.DEAD)), () -> number + " dies");
        }
        if (self.phase() == Phase.IDLE && self.calls() > 0) {
            int now = state.begun() + 10;
            steps.step(
                    state.begins()
                            .with(number, self.begins(now).asks())
                            .with(state.seen().orderly(false)),
                    () -> number + " wants the lock, as call " + now);
        }
        if (self.phase() == Phase.WAITING && self.look() == 0 && state.isQuiet()) {
            steps.step(state.with(number, self.asks()), () -> number + " looks");
        }
        if (self.phase() == Phase.HOLDING) {
            List<Link> released = self.links().stream()
                    .map(link -> link.granted() || link.isOpen() ? link.ends().sends(Request.RELEASE) : link.ends())
                    .toList();
            steps.step(
                    state.with(number, self.with(released).rests(Phase.IDLE))
                            .with(state.seen().orderly(isOrderly(state, number))),
                    () -> number + " releases");
        }
    }

    /**
     * Nothing is on its way, and no node has word of a client that does not wait. Such word is left where a client was refused by a
     * minority, and won: what is reserved for it there ends unused.
     */
    private static boolean isOrderly(NodeTurnsState state, int holder) {
        return state.isQuiet()
                && state.client(holder).granted() == NodeTurnsState.NODES
                && state.nodes().stream()
                        .flatMap(node -> node.words().stream())
                        .allMatch(word -> state.client(word.client()).phase() == Phase.WAITING);
    }

    private NodeTurnsState decide(NodeTurnsState state, int number) {
        Client self = state.client(number);
        if (self.phase() != Phase.ASKING) {
            return state;
        }
        if (self.granted() >= NodeTurnsState.MAJORITY) {
            boolean passes = state.seen().orderly()
                    && state.clients().stream()
                            .anyMatch(other -> other.phase() == Phase.WAITING && other.since() < self.since());
            return state.with(number, self.rests(Phase.HOLDING))
                    .with((passes ? state.seen().passed() : state.seen())
                            .idle(0)
                            .orderly(false));
        }
        if (self.refused() <= NodeTurnsState.NODES - NodeTurnsState.MAJORITY) {
            return state;
        }
        boolean isSplit = self.granted() > 0 && !state.isHeld() && state.seen().orderly();
        NodeTurnsState lost = isSplit ? state.with(state.seen().split()) : state;
        boolean isDecided = self.links().stream()
                .filter(link -> link.refusedFor() != NodeTurnsState.NONE)
                .anyMatch(link -> self.links().stream()
                                .filter(other -> other.refusedFor() == link.refusedFor())
                                .count()
                        >= NodeTurnsState.MAJORITY);
        List<Link> given = self.links().stream()
                .map(link -> link.granted() || link.isOpen() ? link.ends().sends(Request.GIVE_BACK) : link.ends())
                .toList();
        Client waiting = self.with(given).as(Phase.WAITING);
        boolean hears = waiting.look() != NodeTurnsState.NO_LOOK;
        if (waiting.again()) {
            return lost.with(number, waiting.asks());
        }
        return lost.with(number, isDecided || hears ? waiting : waiting.looksIn(0));
    }

    // What nodes do.

    private void nodeStep(NodeTurnsState state, int number, int node, Steps<NodeTurnsState> steps) {
        List<Request> flight = state.client(number).links().get(node).flight();
        if (flight.isEmpty()) {
            return;
        }
        Link left = state.client(number).links().get(node).executed();
        NodeTurnsState sent = state.with(number, state.client(number).with(node, left));
        Request request = flight.get(0);
        NodeTurnsState after = request == Request.PROPOSE
                ? propose(sent, number, node)
                : free(sent, number, node, request == Request.GIVE_BACK);
        steps.step(after, () -> "node " + node + " executes " + request + " of " + number);
    }

    private NodeTurnsState propose(NodeTurnsState state, int number, int node) {
        Node at = state.nodes().get(node);
        Client self = state.client(number);
        Link link = self.links().get(node);
        boolean isOver = !link.flight().isEmpty();
        int first = at.first(rules.contains(NodeTurnsRule.SAME_ORDER));
        boolean isReserved = at.reserved() && !at.lapsed() && first != number;
        if (at.holder() == NodeTurnsState.NONE && !isReserved) {
            Node rest = at.reserved() && at.lapsed() && first != number ? at.without(first) : at;
            NodeTurnsState granted = state.withNode(node, rest.held(number));
            return isOver ? granted : decide(granted.with(number, self.with(node, link.grants())), number);
        }
        int other = isReserved ? first : at.holder();
        Node refusing = at.holder() == NodeTurnsState.NONE ? at : at.dropsReservation();
        if (rules.contains(NodeTurnsRule.LEAVES_WORD) && self.waits()) {
            // What is reserved already stays so, though the call of the other may wait for longer.
            int behind = isReserved ? at.since(first) + 1 : 0;
            refusing = refusing.hears(number, Math.max(self.since(), behind));
        }
        NodeTurnsState refused = state.withNode(node, refusing);
        if (isOver) {
            return refused;
        }
        Client told = self.with(node, link.refuses(other));
        boolean looks = isReserved && rules.contains(NodeTurnsRule.LOOKS);
        return decide(refused.with(number, looks ? told.looksIn(1) : told), number);
    }

    private NodeTurnsState free(NodeTurnsState state, int number, int node, boolean givesWay) {
        Node at = state.nodes().get(node);
        if (at.holder() != number) {
            return state;
        }
        Client self = state.client(number);
        Node rest = givesWay ? (self.waits() ? at.hears(number, self.since()) : at) : at.without(number);
        int first = rest.first(rules.contains(NodeTurnsRule.SAME_ORDER));
        boolean reserves = first != NodeTurnsState.NONE && rules.contains(NodeTurnsRule.RESERVED);
        NodeTurnsState after = state.withNode(node, rest.freed(reserves));
        int message = reserves ? first : NodeTurnsState.NONE;
        for (int each = 1; each <= NodeTurnsState.CLIENTS; each++) {
            if (after.client(each).waits()) {
                after = hears(after, each, node, message);
            }
        }
        return after;
    }

    private NodeTurnsState hears(NodeTurnsState state, int number, int node, int message) {
        Client self = state.client(number);
        Link link = self.links().get(node);
        if (link.behind() && message == self.told()) {
            return state.with(number, self.with(node, link.isBehind(false)));
        }
        Client heard = self.with(node, link.hears(message));
        boolean all = heard.heard(NodeTurnsState.NOTHING) == 0;
        boolean most = rules.contains(NodeTurnsRule.MOST_COUNT)
                ? heard.heard(message) >= NodeTurnsState.MAJORITY
                : heard.heard(NodeTurnsState.NOTHING) <= NodeTurnsState.NODES - NodeTurnsState.MAJORITY;
        return all || most
                ? acts(state.with(number, heard), number, most ? message : agreedOn(heard))
                : state.with(number, heard);
    }

    private static int mostOf(Client client) {
        int most = NodeTurnsState.NOTHING;
        for (Link link : client.links()) {
            boolean isMore = most == NodeTurnsState.NOTHING || client.heard(link.heard()) > client.heard(most);
            most = link.heard() != NodeTurnsState.NOTHING && isMore ? link.heard() : most;
        }
        return most;
    }

    /** What a majority says; if there is none, the lock may be free for all. */
    private static int agreedOn(Client client) {
        int most = mostOf(client);
        return client.heard(most) >= NodeTurnsState.MAJORITY ? most : NodeTurnsState.NONE;
    }

    private NodeTurnsState acts(NodeTurnsState state, int number, int message) {
        Client self = state.client(number).acts(message);
        boolean isForIt = message == NodeTurnsState.NONE || message == number;
        if (!isForIt) {
            return state.with(number, rules.contains(NodeTurnsRule.LOOKS) ? self.looksIn(1) : self);
        }
        if (self.phase() == Phase.WAITING) {
            return state.with(number, self.asks());
        }
        return state.with(number, self.isToAskAgain());
    }

    // Time.

    private NodeTurnsState later(NodeTurnsState state) {
        boolean isIdle = !state.isHeld()
                && state.nodes().stream().noneMatch(node -> isOfDead(state, node))
                && state.clients().stream().anyMatch(Client::waits);
        NodeTurnsState after =
                isIdle ? state.with(state.seen().idle(state.seen().idle() + 1)) : state;
        for (int node = 0; node < NodeTurnsState.NODES; node++) {
            Node at = after.nodes().get(node);
            if (isOfDead(after, at)) {
                after = after.withNode(node, at.freed(false));
                after = allLook(after);
            } else if (at.reserved() && !at.lapsed() && rules.contains(NodeTurnsRule.GRACE_ENDS)) {
                after = after.withNode(node, at.lapses());
            }
        }
        boolean lapses = !after.nodes().equals(state.nodes());
        if (lapses) {
            after = after.with(after.seen().lapsed());
        }
        for (int number = 1; number <= NodeTurnsState.CLIENTS; number++) {
            Client client = after.client(number);
            if (client.phase() == Phase.WAITING) {
                int message = mostOf(client);
                if (client.look() > 0) {
                    after = after.with(number, client.looksIn(client.look() - 1));
                } else if (message != NodeTurnsState.NOTHING) {
                    after = acts(after, number, agreedOn(client));
                }
            }
        }
        return after;
    }

    private static boolean isOfDead(NodeTurnsState state, Node node) {
        return node.holder() != NodeTurnsState.NONE
                && state.client(node.holder()).phase() == Phase.DEAD;
    }

    /** The lease that they were told of is over. */
    private static NodeTurnsState allLook(NodeTurnsState state) {
        NodeTurnsState after = state;
        for (int number = 1; number <= NodeTurnsState.CLIENTS; number++) {
            Client client = after.client(number);
            if (client.phase() == Phase.WAITING) {
                after = after.with(number, client.looksIn(0));
            }
        }
        return after;
    }

    @Override
    public List<Invariant<NodeTurnsState>> invariants() {
        return List.of(
                new Invariant<>(
                        ONE_HOLDER,
                        state -> state.clients().stream()
                                        .filter(client -> client.phase() == Phase.HOLDING)
                                        .count()
                                <= 1),
                new Invariant<>(NOT_IDLE, state -> state.seen().idle() <= LONGEST_IDLE + bounds.deaths),
                new Invariant<>(NO_SPLIT, state -> !state.seen().isSplit()),
                new Invariant<>(IN_ORDER, state -> !state.seen().isPassed()),
                new Invariant<>(NOT_STUCK, state -> !isStuck(state)));
    }

    /** Nothing is on its way, no client has the lock, and none that waits for it will ever look. */
    private static boolean isStuck(NodeTurnsState state) {
        boolean isOfDead = state.nodes().stream().anyMatch(node -> isOfDead(state, node));
        boolean waits = state.clients().stream().anyMatch(client -> client.phase() == Phase.WAITING);
        boolean looks = state.clients().stream()
                .anyMatch(client -> client.phase() == Phase.WAITING
                        && (client.look() != NodeTurnsState.NO_LOOK || mostOf(client) != NodeTurnsState.NOTHING));
        return state.isQuiet() && waits && !looks && !state.isHeld() && !isOfDead;
    }
}
