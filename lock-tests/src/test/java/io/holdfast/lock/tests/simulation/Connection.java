package io.holdfast.lock.tests.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One connection, as both of its ends and the network between them see it. When one end goes, the other learns of it
 * later or not at all, and what was sent before may still arrive.
 */
final class Connection {

    /** The client's end. */
    interface Client {

        void answered(Connection from, Answer answer);

        /** The server's end is gone. */
        void ended(Connection connection, String detail);
    }

    private static final int DAMAGED_PERCENT = 35;
    private static final long MOST_TANGLE_NANOS = 150_000_000L;
    private static final long LONGEST_STRANDED_NANOS = 3_000_000_000L;

    final SimulatedClient owner;
    final SimulatedServer server;
    private final World world;
    private final Route route;
    private final Client client;
    private final Chance chance;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final Deque<Answer> answers = new ArrayDeque<>();

    private boolean clientGone;
    private boolean serverGone;
    private boolean messy;
    private long requestsFlowNanos;
    private long answersFlowNanos;
    /** Until when the network keeps what was on its way when the client left. */
    private long strandedUntilNanos;

    Connection(World world, SimulatedClient owner, SimulatedServer server, Route route, Client client, Chance chance) {
        this.world = world;
        this.owner = owner;
        this.server = server;
        this.route = route;
        this.client = client;
        this.chance = chance;
    }

    // --- requests ---

    void send(Request request) {
        if (world.isTraced()) {
            world.note(owner.name, "-> " + server.name + ": " + request);
        }
        requests.add(request);
        requestsFlowNanos = Math.max(requestsFlowNanos, world.nanos() + route.latency());
        world.after(requestsFlowNanos - world.nanos(), this::arrive);
    }

    private void arrive() {
        if (requests.isEmpty() || serverGone) {
            return;
        }
        // Bytes that are in the server's socket, or in flight when the client left, are not held up by its route.
        long flowAt = clientGone ? Math.max(strandedUntilNanos, world.nanos()) : route.requestsFlowAt();
        long readyAt = Math.max(flowAt, server.readsAt());
        if (readyAt > world.nanos()) {
            world.after(readyAt - world.nanos(), this::arrive);
            return;
        }
        Request request = requests.remove();
        Answer answer = server.execute(this, request);
        if (world.isTraced()) {
            world.note(server.name, (clientGone ? "(late) " : "") + owner.name + ": " + request + "  =  " + answer);
        }
        answer(answer);
    }

    // --- answers ---

    private void answer(Answer answer) {
        if (clientGone) {
            return;
        }
        answers.add(answer);
        answersFlowNanos = Math.max(answersFlowNanos, world.nanos() + route.latency() + server.workNanos());
        world.after(answersFlowNanos - world.nanos(), owner, this::deliver);
    }

    /** A published message; it may get lost, come twice, or overtake others, if the world is so minded. */
    void tell(Answer message) {
        if (clientGone || serverGone || owner.climate.deaf()) {
            return;
        }
        int copies = 1;
        if (messy && chance.percent(DAMAGED_PERCENT)) {
            copies = chance.below(3);
            for (int i = 0; i < copies; i++) {
                world.after(chance.below(MOST_TANGLE_NANOS), owner, () -> {
                    if (!clientGone) {
                        hand(message);
                    }
                });
            }
            return;
        }
        answer(message);
    }

    private void deliver() {
        if (answers.isEmpty() || clientGone) {
            return;
        }
        long flowAt = route.answersFlowAt();
        if (flowAt > world.nanos()) {
            world.after(flowAt - world.nanos(), owner, this::deliver);
            return;
        }
        hand(answers.remove());
    }

    private void hand(Answer answer) {
        if (world.isTraced()) {
            world.note(owner.name, "<- " + server.name + ": " + answer);
        }
        client.answered(this, answer);
    }

    // --- ends ---

    /**
     * The client's end goes. Some of what it had sent may be in the server's socket already, or in a network that takes
     * its time.
     */
    void leave() {
        clientGone = true;
        answers.clear();
        strandedUntilNanos = owner.climate.fenced() ? 0 : world.nanos() + chance.below(LONGEST_STRANDED_NANOS);
        if (serverGone) {
            return;
        }
        for (int keep = chance.below(requests.size() + 1); requests.size() > keep; ) {
            requests.removeLast();
        }
        for (int i = 0; i < requests.size(); i++) {
            world.after(late(), this::arrive);
        }
        server.left(this, late());
    }

    private long late() {
        return chance.onceIn(3) ? chance.below(4_000_000_000L) : chance.below(20_000_000);
    }

    /** The server's end goes: killed, or with its process. What is in its socket is never read. */
    void end(String detail) {
        if (serverGone) {
            return;
        }
        serverGone = true;
        requests.clear();
        server.closed(this);
        if (!clientGone) {
            world.after(route.latency(), owner, () -> hearOfTheEnd(detail));
        }
    }

    private void hearOfTheEnd(String detail) {
        if (clientGone) {
            return;
        }
        if (route.isCutOff()) {
            world.after(route.answersFlowAt() - world.nanos(), owner, () -> hearOfTheEnd(detail));
        } else {
            client.ended(this, detail);
        }
    }

    /** Whether messages get lost, doubled and out of order. */
    void messy(boolean on) {
        messy = on;
    }

    /** Whether the client has left. */
    boolean isAbandoned() {
        return clientGone;
    }

    /** How many requests have not reached the server. */
    int underWay() {
        return requests.size();
    }
}
