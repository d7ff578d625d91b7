package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.JoinBounds.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, clients, and what lies between them. Time is what is left of each lease, so that it may go on for ever.
 *
 * @param trouble how much more may go wrong
 * @param newest the token that was handed out last
 * @param increased whether each token that was handed out was greater than the one before
 */
record JoinState(List<Node> nodes, List<Client> clients, Trouble trouble, int newest, boolean increased) {

    /**
     * @param key who holds this node, if anybody does
     * @param clock the token clock: the greatest token minted here
     * @param young how long the node is still left out after a restart
     * @param links one for each client
     */
    record Node(@Nullable Key key, int clock, int young, List<Link> links) {

        Node with(@Nullable Key key) {
            return new Node(key, clock, young, links);
        }

        Node with(@Nullable Key key, int clock) {
            return new Node(key, clock, young, links);
        }

        Node with(int client, Link link) {
            return new Node(key, clock, young, Lists.replaced(links, client, link));
        }
    }

    /** A stored field with its hold count, its token and what is left of its lease. */
    record Key(int client, int round, int count, int token, int left) {
        boolean isOf(int client, int round) {
            return this.client == client && this.round == round;
        }

        Key raised(int lease) {
            return new Key(client, round, count, token, Math.max(left, lease));
        }

        Key counted(int count) {
            return new Key(client, round, count, token, left);
        }

        Key named(int token) {
            return new Key(client, round, count, token, left);
        }

        Key older() {
            return new Key(client, round, count, token, left - 1);
        }
    }

    enum Kind {
        ACQUIRE,
        ADOPT,
        RENEW,
        REENTER,
        JOIN,
        UNDO
    }

    /**
     * A request of a client, on its way.
     *
     * @param count the hold count to reach
     * @param token the token to have
     * @param left how long an answer to it would be valid
     * @param confirms whether it was sent after the latest join had been answered
     */
    record Request(Kind kind, int round, int count, int token, int left, boolean confirms) {
        static Request undo(int round) {
            return new Request(Kind.UNDO, round, 0, 0, 0, false);
        }

        Request with(int token) {
            return new Request(kind, round, count, token, left, confirms);
        }

        Request older() {
            return new Request(kind, round, count, token, Math.max(0, left - 1), confirms);
        }

        Request confirmingNothing() {
            return new Request(kind, round, count, token, left, false);
        }
    }

    /**
     * An answer on its way back; answers that the client would ignore are left out.
     *
     * @param yes whether it was done; otherwise the field was gone
     * @param votes whether the node did not have to be left out when it answered
     */
    record Answer(Request request, boolean yes, boolean votes) {
        Answer older() {
            return new Answer(request.older(), yes, votes);
        }

        Answer confirmingNothing() {
            return new Answer(request.confirmingNothing(), yes, votes);
        }
    }

    /** What a client knows of its field at a node. */
    enum Standing {
        /** It is not there, and was not asked for since. */
        NONE,
        /** The acquire has no answer. */
        ASKED,
        /** The connection broke before the acquire was answered. */
        BROKEN,
        /** A join has no answer. */
        JOINING,
        /** It came after the lock was handed out, and the other nodes have not confirmed the hold since. */
        NEW,
        /** It is there, and counts. */
        GRANTED,
        /** Its lease ran out, or it is gone, or it may be there unanswered. */
        OVER
    }

    /**
     * A connection as rules 3 to 5 leave it: what was sent is executed in order, and never twice.
     *
     * @param requests sent and not yet executed
     * @param valid how long the field is valid at this node
     * @param count the hold count that the node is taken to have
     * @param token the token that the node is taken to have
     * @param confirmed whether it has confirmed the hold since the latest join was answered
     * @param vanished whether the field was once found gone here under the same run
     * @param owed the rounds, as bits, whose undo this node has not confirmed
     */
    record Link(
            List<Request> requests,
            List<Answer> answers,
            Standing standing,
            int valid,
            int count,
            int token,
            boolean confirmed,
            boolean vanished,
            int owed) {
        static final Link IDLE = new Link(List.of(), List.of(), Standing.NONE, 0, 0, 0, false, false, 0);

        /** A round begins. */
        Link fresh(Standing standing) {
            return new Link(requests, List.of(), standing, 0, 0, 0, false, false, owed);
        }

        Link send(Request request) {
            return queue(Lists.appended(requests, request));
        }

        Link queue(List<Request> requests) {
            return new Link(requests, answers, standing, valid, count, token, confirmed, vanished, owed);
        }

        Link answers(List<Answer> answers) {
            return new Link(requests, answers, standing, valid, count, token, confirmed, vanished, owed);
        }

        Link in(Standing standing, int valid) {
            return new Link(requests, answers, standing, valid, count, token, confirmed, vanished, owed);
        }

        Link knows(int count, int token) {
            return new Link(requests, answers, standing, valid, count, token, confirmed, vanished, owed);
        }

        Link confirmed(boolean confirmed) {
            return new Link(requests, answers, standing, valid, count, token, confirmed, vanished, owed);
        }

        Link hasVanished() {
            return new Link(requests, answers, Standing.OVER, 0, count, token, confirmed, true, owed);
        }

        Link owed(int owed) {
            return new Link(requests, answers, standing, valid, count, token, confirmed, vanished, owed);
        }

        boolean awaits(Kind kind) {
            return requests.stream().anyMatch(request -> request.kind() == kind)
                    || answers.stream().anyMatch(answer -> answer.request().kind() == kind);
        }

        boolean isQuiet() {
            return requests.isEmpty() && answers.isEmpty();
        }

        /** Whether the client takes the field to be there. */
        boolean has() {
            return standing == Standing.GRANTED || standing == Standing.NEW;
        }
    }

    enum Phase {
        IDLE,
        ASKING,
        WRITING,
        HOLDING,
        /** The hold is no longer valid, but waits for the answer to a join; only without a rule. */
        WAITING
    }

    /**
     * @param round the number of its last round
     * @param rounds how many more it may start
     * @param count its hold count
     * @param token of the round or the hold
     * @param renewals how many more times it may renew
     * @param joins how many more it may send
     * @param entries how many more times it may change its count
     * @param doomed how long the hold may still be taken to be valid; -1 while a majority really has it
     */
    record Client(
            Phase phase,
            int round,
            int rounds,
            int count,
            int token,
            int renewals,
            int joins,
            int entries,
            int doomed) {

        Client in(Phase phase) {
            return new Client(phase, round, rounds, count, token, renewals, joins, entries, doomed);
        }

        Client asks() {
            return new Client(Phase.ASKING, round + 1, rounds - 1, 1, 0, renewals, joins, entries, -1);
        }

        Client writes(int token) {
            return new Client(Phase.WRITING, round, rounds, count, token, renewals, joins, entries, doomed);
        }

        Client ends() {
            return new Client(Phase.IDLE, round, rounds, 0, 0, renewals, joins, entries, -1);
        }

        Client renewed() {
            return new Client(phase, round, rounds, count, token, renewals - 1, joins, entries, doomed);
        }

        Client joined() {
            return new Client(phase, round, rounds, count, token, renewals, joins - 1, entries, doomed);
        }

        Client counts(int count) {
            return new Client(phase, round, rounds, count, token, renewals, joins, entries - 1, doomed);
        }

        Client doomed(int doomed) {
            return new Client(phase, round, rounds, count, token, renewals, joins, entries, doomed);
        }

        boolean isHolding(int round) {
            return phase == Phase.HOLDING && this.round == round;
        }
    }

    Client client(int client) {
        return clients.get(client);
    }

    Link link(int node, int client) {
        return nodes.get(node).links().get(client);
    }

    JoinState with(int client, Client changed) {
        return new JoinState(nodes, Lists.replaced(clients, client, changed), trouble, newest, increased);
    }

    JoinState with(int node, Node changed) {
        return new JoinState(Lists.replaced(nodes, node, changed), clients, trouble, newest, increased);
    }

    JoinState with(int node, int client, Link changed) {
        return with(node, nodes.get(node).with(client, changed));
    }

    JoinState handedOut(int token) {
        return new JoinState(nodes, clients, trouble, token, increased && token > newest);
    }

    JoinState with(Trouble less) {
        return new JoinState(nodes, clients, less, newest, increased);
    }

    /** Changes the links of a client to all nodes. */
    JoinState onAll(int client, UnaryOperator<Link> change) {
        List<Node> changed = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            changed.add(node.with(client, change.apply(node.links().get(client))));
        }
        return new JoinState(List.copyOf(changed), clients, trouble, newest, increased);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            Key key = node.key();
            text.append(String.format(
                    "node %c: %s, clock %d%s%n",
                    'A' + i,
                    key == null
                            ? "free"
                            : String.format(
                                    "client %d's, round %d, count %d, token %d, %d left",
                                    key.client() + 1, key.round(), key.count(), key.token(), key.left()),
                    node.clock(),
                    node.young() > 0 ? ", restarted, left out for " + node.young() : ""));
        }
        for (int i = 0; i < clients.size(); i++) {
            int client = i;
            String known = nodes.stream()
                    .map(node -> node.links().get(client))
                    .map(link -> link.standing().name().toLowerCase(Locale.ROOT) + " " + link.valid())
                    .collect(Collectors.joining(", "));
            text.append(String.format(
                    "client %d: %s, round %d, count %d, token %d, at the nodes: %s%n",
                    i + 1,
                    clients.get(i).phase().name().toLowerCase(Locale.ROOT),
                    clients.get(i).round(),
                    clients.get(i).count(),
                    clients.get(i).token(),
                    known));
        }
        return text.toString().stripTrailing();
    }
}
