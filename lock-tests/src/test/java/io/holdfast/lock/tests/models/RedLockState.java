package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, clients, and what lies between them. Time is what is left of each lease, so that it may go on for ever.
 *
 * @param losses how many more messages may be lost
 * @param restarts how many more times a node may restart without its data
 */
record RedLockState(List<Node> nodes, List<Client> clients, int losses, int restarts) {

    /**
     * @param key who holds this node, if anybody does
     * @param young how long the node is still left out after a restart
     * @param links one for each client
     */
    record Node(@Nullable Key key, int young, List<Link> links) {

        Node with(@Nullable Key key) {
            return new Node(key, young, links);
        }

        Node with(int client, Link link) {
            return new Node(key, young, Lists.replaced(links, client, link));
        }
    }

    /** A stored field; the number is that of a round, or always 1 where fields are used twice. */
    record Key(int client, int number, int left) {}

    enum Kind {
        ACQUIRE,
        RENEW,
        RELEASE
    }

    /** A request of a client, on its way. */
    record Request(Kind kind, int round) {}

    enum Answer {
        NONE,
        YES,
        GONE
    }

    /**
     * A connection as rules 3 to 5 leave it: what was sent is executed in order, and never twice.
     *
     * @param requests sent and not yet executed
     * @param answer on its way back; those that the client would ignore are left out
     * @param asked how long the answer to the request in flight would be valid
     * @param valid how long this node's last answer is valid; -1: no grant from it
     * @param owed the rounds, as bits, whose undo this node has not confirmed
     */
    record Link(List<Request> requests, Answer answer, int asked, int valid, int owed) {
        static final Link IDLE = new Link(List.of(), Answer.NONE, 0, -1, 0);

        Link send(Request request) {
            return new Link(Lists.appended(requests, request), answer, asked, valid, owed);
        }

        /** The first request has been executed, or is lost. */
        Link advance() {
            return new Link(Lists.withoutFirst(requests), answer, asked, valid, owed);
        }

        Link asked(int asked) {
            return new Link(requests, answer, asked, valid, owed);
        }

        Link answer(Answer answer) {
            return new Link(requests, answer, asked, valid, owed);
        }

        Link valid(int valid) {
            return new Link(requests, answer, asked, valid, owed);
        }

        Link owed(int owed) {
            return new Link(requests, answer, asked, valid, owed);
        }

        /** Something was asked, and the client knows no answer. */
        boolean silent() {
            return !requests.isEmpty() || answer != Answer.NONE;
        }

        boolean granted() {
            return valid >= 0;
        }
    }

    enum Phase {
        IDLE,
        ASKING,
        HOLDING
    }

    /**
     * @param round the number of its last round
     * @param rounds how many more it may start
     * @param renewals how many more times it may renew
     */
    record Client(Phase phase, int round, int rounds, int renewals) {
        Client in(Phase phase) {
            return new Client(phase, round, rounds, renewals);
        }

        Client nextRound() {
            return new Client(Phase.ASKING, round + 1, rounds - 1, renewals);
        }

        Client renewed() {
            return new Client(phase, round, rounds, renewals - 1);
        }
    }

    Client client(int client) {
        return clients.get(client);
    }

    Link link(int node, int client) {
        return nodes.get(node).links().get(client);
    }

    RedLockState with(int client, Client changed) {
        return new RedLockState(nodes, Lists.replaced(clients, client, changed), losses, restarts);
    }

    RedLockState with(int node, Node changed) {
        return new RedLockState(Lists.replaced(nodes, node, changed), clients, losses, restarts);
    }

    RedLockState with(int node, int client, Link changed) {
        return with(node, nodes.get(node).with(client, changed));
    }

    RedLockState oneLossLess() {
        return new RedLockState(nodes, clients, losses - 1, restarts);
    }

    RedLockState oneRestartLess() {
        return new RedLockState(nodes, clients, losses, restarts - 1);
    }

    /** Changes the links of a client to all nodes. */
    RedLockState onAll(int client, UnaryOperator<Link> change) {
        List<Node> changed = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            changed.add(node.with(client, change.apply(node.links().get(client))));
        }
        return new RedLockState(List.copyOf(changed), clients, losses, restarts);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            Key key = node.key();
            text.append(String.format(
                    "node %c: %s%s%n",
                    'A' + i,
                    key == null
                            ? "free"
                            : "client " + (key.client() + 1) + "'s, field " + key.number() + ", " + key.left()
                                    + " left",
                    node.young() > 0 ? ", restarted, left out for " + node.young() : ""));
        }
        for (int i = 0; i < clients.size(); i++) {
            int client = i;
            String valid = nodes.stream()
                    .map(node -> node.links().get(client))
                    .map(link -> link.granted() ? Integer.toString(link.valid()) : "-")
                    .collect(Collectors.joining(" "));
            text.append(String.format(
                    "client %d: %s, round %d, validity per node %s%n",
                    i + 1,
                    clients.get(i).phase().name().toLowerCase(Locale.ROOT),
                    clients.get(i).round(),
                    valid));
        }
        return text.toString().stripTrailing();
    }
}
