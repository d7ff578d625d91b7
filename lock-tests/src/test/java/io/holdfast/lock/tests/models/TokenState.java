package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with their tokens, and clients on the way to one.
 *
 * @param newest the token that was handed out last
 * @param increased whether each token that was handed out was greater than the one before
 */
record TokenState(List<Node> nodes, List<Client> clients, int newest, boolean increased) {

    /**
     * @param stored the token clock: the greatest token minted here
     * @param key who holds this node, if anybody does
     * @param links one for each client
     */
    record Node(int clock, int stored, @Nullable Key key, List<Link> links) {
        Node with(int stored, @Nullable Key key) {
            return new Node(clock, stored, key, links);
        }
    }

    record Key(int client, int round) {}

    /** Asks for the lock with a proposed token, or writes a token back. */
    record Request(boolean writesBack, int round, int token) {}

    /**
     * @param requests sent and not yet executed, in order
     * @param answer the token in an answer on its way back, 0 if there is none
     * @param token what the node is known to hold for this round, 0 if unknown
     */
    record Link(List<Request> requests, int answer, int token) {
        static final Link IDLE = new Link(List.of(), 0, 0);
    }

    enum Phase {
        IDLE,
        ASKING,
        WRITING,
        HOLDING
    }

    /**
     * @param round the number of its last round
     * @param rounds how many more it may start
     * @param seen the greatest token it has seen
     * @param valid whether its round is still valid
     * @param target the token that it wants a majority to hold
     */
    record Client(Phase phase, int round, int rounds, int seen, boolean valid, int target) {
        Client in(Phase phase) {
            return new Client(phase, round, rounds, seen, valid, target);
        }
    }

    Link link(int node, int client) {
        return nodes.get(node).links().get(client);
    }

    TokenState with(int client, Client changed) {
        return new TokenState(nodes, Lists.replaced(clients, client, changed), newest, increased);
    }

    TokenState with(int node, Node changed) {
        return new TokenState(Lists.replaced(nodes, node, changed), clients, newest, increased);
    }

    TokenState with(int node, int client, Link changed) {
        Node self = nodes.get(node);
        return with(
                node, new Node(self.clock(), self.stored(), self.key(), Lists.replaced(self.links(), client, changed)));
    }

    TokenState handedOut(int token) {
        return new TokenState(nodes, clients, token, increased && token > newest);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            Key key = node.key();
            String holder = key == null ? "free" : "client " + (key.client() + 1) + "'s";
            text.append(
                    String.format("node %c: %s, stored %d, clock %d%n", 'A' + i, holder, node.stored(), node.clock()));
        }
        for (int i = 0; i < clients.size(); i++) {
            Client client = clients.get(i);
            String phase = client.phase().name().toLowerCase(Locale.ROOT);
            text.append(String.format("client %d: %s, round %d%n", i + 1, phase, client.round()));
        }
        return text + "handed out last: " + newest;
    }
}
