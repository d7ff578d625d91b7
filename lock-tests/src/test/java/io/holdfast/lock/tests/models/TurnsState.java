package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;

/**
 * A lock that clients release for each other. Clients have the numbers 1 to 3; where no client is meant, it is 0.
 */
record TurnsState(Server server, List<Client> clients, Seen seen, Budget budget) {

    static final int NONE = 0;

    /** A fair call holds the lock, whose order is kept by the server's queue. */
    static final int FAIR = 9;

    /** No look is planned. */
    static final int NO_LOOK = -1;

    enum Phase {
        IDLE,
        ASKING,
        WAITING,
        HOLDING,
        DEAD
    }

    enum Request {
        ACQUIRE,
        RELEASE,
        /** The client takes its word back. */
        GIVE_UP,
        GRANTED,
        /** Another client holds the lock. */
        REFUSED,
        /** It is reserved for another client. */
        RESERVED;

        boolean isAnswer() {
            return this != ACQUIRE && this != RELEASE && this != GIVE_UP;
        }
    }

    /**
     * @param holder that has the lock
     * @param left ticks until its lease is over, or the reservation
     * @param reserved whether the lock was left to the client that has waited longest, which has not come yet
     * @param wanted the clients that have left word, in their order
     * @param queued whether a fair call waits
     */
    record Server(int holder, int left, boolean reserved, List<Integer> wanted, boolean queued) {
        static final Server FREE = new Server(NONE, 0, false, List.of(), false);

        Server held(int by, int ticks, List<Integer> rest) {
            return new Server(by, ticks, false, rest, queued);
        }

        Server reserved(int ticks, List<Integer> rest) {
            return new Server(NONE, ticks, true, rest, queued);
        }

        Server freed() {
            return new Server(NONE, 0, false, wanted, queued);
        }

        Server wanted(List<Integer> all) {
            return new Server(holder, left, reserved, all, queued);
        }

        /** By an owner that knows nothing of reservations: what is reserved stays so. */
        Server heldByFair() {
            return new Server(FAIR, left, reserved, wanted, false);
        }

        Server freedByFair() {
            return new Server(NONE, left, reserved, wanted, queued);
        }

        Server dropsReservation() {
            return new Server(holder, reserved && holder == FAIR ? 0 : left, false, wanted, queued);
        }

        Server queued(boolean waits) {
            return new Server(holder, left, reserved, wanted, waits);
        }

        Server later() {
            return new Server(holder, left - 1, reserved, wanted, queued);
        }
    }

    /**
     * @param calls that are still to come
     * @param flight requests and answers, in order
     * @param inbox messages: for which client the lock is reserved, or none
     * @param permit whether to ask again after a refusal
     * @param look in how many ticks it is to ask if it hears nothing
     * @param missed whether a message to it was lost
     * @param way how far away it is
     */
    record Client(
            Phase phase,
            int calls,
            List<Request> flight,
            List<Integer> inbox,
            boolean permit,
            int look,
            boolean missed,
            Way way) {
        static Client first(int calls, boolean isFar) {
            return new Client(Phase.IDLE, calls, List.of(), List.of(), false, NO_LOOK, false, new Way(isFar, 0, 0));
        }

        Client as(Phase phase) {
            return new Client(phase, calls, flight, inbox, permit, look, missed, way);
        }

        Client begins() {
            return new Client(phase, calls - 1, flight, inbox, permit, look, missed, way);
        }

        Client flight(List<Request> requests) {
            return new Client(phase, calls, requests, inbox, permit, look, missed, way);
        }

        Client sends(Request request) {
            return flight(Lists.appended(flight, request)).way(way.leaves());
        }

        Client inbox(List<Integer> messages) {
            return new Client(phase, calls, flight, messages, permit, look, missed, way);
        }

        Client permit(boolean again) {
            return new Client(phase, calls, flight, inbox, again, look, missed, way);
        }

        private Client way(Way changed) {
            return new Client(phase, calls, flight, inbox, permit, look, missed, changed);
        }

        Client youngFor(int ticks) {
            return way(new Way(way.far, way.ahead, ticks));
        }

        /** Looks then at the latest. */
        Client looksIn(int ticks) {
            return new Client(
                    phase, calls, flight, inbox, permit, look == NO_LOOK ? ticks : Math.min(look, ticks), missed, way);
        }

        Client missed(boolean one) {
            return new Client(phase, calls, flight, inbox, permit, look, one, way);
        }

        Client asks() {
            return new Client(Phase.ASKING, calls, flight, inbox, false, NO_LOOK, false, way).sends(Request.ACQUIRE);
        }

        /** Does nothing for now. */
        Client rests(Phase phase) {
            return new Client(phase, calls, flight, List.of(), false, NO_LOOK, false, way);
        }

        Client later() {
            return new Client(phase, calls, flight, inbox, permit, look > 0 ? look - 1 : look, missed, way.later());
        }

        boolean waits() {
            return phase == Phase.ASKING || phase == Phase.WAITING;
        }

        boolean isIdle() {
            return (flight.isEmpty() || way.ahead > 0) && inbox.isEmpty() && !(phase == Phase.WAITING && look == 0);
        }
    }

    /**
     * The way of a client's requests to the server. Messages and answers take no time: a round trip of a far client takes a tick.
     *
     * @param far whether what it sends arrives a tick later
     * @param ahead in how many ticks that arrives
     * @param young for how many ticks its word is passed over
     */
    record Way(boolean far, int ahead, int young) {
        Way leaves() {
            return new Way(far, far ? 1 : 0, young);
        }

        Way later() {
            return new Way(far, Math.max(0, ahead - 1), Math.max(0, young - 1));
        }
    }

    /**
     * What a bystander sees.
     *
     * @param passed how often each client was granted the lock while another one waited that the server had refused: three for each
     * @param known which clients the server has refused since they began to wait
     * @param lapsed a client that did not come when the lock was reserved for it, and has not asked since
     * @param upsets how often a turn went astray: by a reservation that was not used, a lease that ended, by force, or by a fair call
     * @param idle ticks for which the lock has been free while a client waits
     * @param spared ticks for which the lock should not be unused again for a far client
     * @param broken what a step has broken; empty: nothing
     */
    record Seen(
            List<Integer> passed, List<Boolean> known, int lapsed, int upsets, int idle, int spared, String broken) {
        static final Seen NOTHING =
                new Seen(List.of(0, 0, 0, 0, 0, 0, 0, 0, 0), List.of(false, false, false), NONE, 0, 0, 0, "");

        Seen refused(int client) {
            return new Seen(passed, Lists.replaced(known, client - 1, true), lapsed, upsets, idle, spared, broken);
        }

        /** A client that was granted the lock has passed all others that the server knows, but those whose word is young. */
        Seen granted(int client, List<Client> clients) {
            List<Integer> counts = new ArrayList<>(ended(client).passed);
            for (int other = 1; other <= 3; other++) {
                if (other != client && known.get(other - 1) && clients.get(other - 1).way.young == 0) {
                    int at = 3 * (other - 1) + client - 1;
                    counts.set(at, counts.get(at) + 1);
                }
            }
            return new Seen(List.copyOf(counts), ended(client).known, lapsed, upsets, idle, spared, broken);
        }

        /** A client does not wait any more. */
        Seen ended(int client) {
            List<Integer> counts = new ArrayList<>(passed);
            for (int other = 0; other < 3; other++) {
                counts.set(3 * (client - 1) + other, 0);
            }
            return new Seen(
                    List.copyOf(counts),
                    Lists.replaced(known, client - 1, false),
                    lapsed,
                    upsets,
                    idle,
                    spared,
                    broken);
        }

        Seen upset() {
            return new Seen(passed, known, lapsed, upsets + 1, idle, spared, broken);
        }

        /** A client has asked. */
        Seen asked(int client) {
            return client == lapsed ? new Seen(passed, known, NONE, upsets, idle, spared, broken) : this;
        }

        Seen lapsed(int client) {
            return new Seen(passed, known, client, upsets, idle, spared, broken);
        }

        Seen idle(int ticks) {
            return new Seen(passed, known, lapsed, upsets, ticks, spared, broken);
        }

        Seen spared(int ticks) {
            return new Seen(passed, known, lapsed, upsets, idle, ticks, broken);
        }

        Seen breaks(String what) {
            return new Seen(passed, known, lapsed, upsets, idle, spared, broken.isEmpty() ? what : broken);
        }
    }

    /** What may still happen. */
    record Budget(int deaths, int losses, int forces, int fair, int leaving) {
        Budget less(int died, int lost, int forced, int came, int left) {
            return new Budget(deaths - died, losses - lost, forces - forced, fair - came, leaving - left);
        }
    }

    Client client(int number) {
        return clients.get(number - 1);
    }

    TurnsState with(Server changed) {
        return new TurnsState(changed, clients, seen, budget);
    }

    TurnsState with(int number, Client changed) {
        return new TurnsState(server, Lists.replaced(clients, number - 1, changed), seen, budget);
    }

    TurnsState with(Seen changed) {
        return new TurnsState(server, clients, changed, budget);
    }

    TurnsState with(Budget changed) {
        return new TurnsState(server, clients, seen, changed);
    }

    static List<Integer> without(List<Integer> clients, int number) {
        return clients.stream().filter(client -> client != number).toList();
    }

    /** What is the same for states that differ only in the numbers of the clients. */
    String identity() {
        String least = written(0, 1, 2);
        for (int[] order : new int[][] {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
            String text = written(order[0], order[1], order[2]);
            if (text.compareTo(least) < 0) {
                least = text;
            }
        }
        return least;
    }

    /** As text, with the clients in this order. */
    private String written(int first, int second, int third) {
        int[] order = {first, second, third};
        int[] names = new int[4];
        for (int i = 0; i < 3; i++) {
            names[order[i] + 1] = i + 1;
        }
        StringBuilder text = new StringBuilder(64);
        write(text, server.holder == FAIR ? FAIR : names[server.holder]);
        write(text, server.left);
        write(text, (server.reserved ? 1 : 0) + (server.queued ? 2 : 0));
        write(text, server.wanted, names);
        for (int client : order) {
            Client each = clients.get(client);
            write(text, each.phase.ordinal());
            write(text, each.calls);
            write(text, each.look + 1);
            write(text, (each.permit ? 1 : 0) + (each.missed ? 2 : 0) + (seen.known.get(client) ? 4 : 0));
            write(text, (each.way.far ? 1 : 0) + 2 * each.way.ahead + 4 * each.way.young);
            each.flight.forEach(request -> write(text, request.ordinal()));
            write(text, each.inbox, names);
            for (int other : order) {
                write(text, seen.passed.get(3 * client + other));
            }
        }
        write(text, names[seen.lapsed]);
        write(text, seen.upsets);
        write(text, seen.idle);
        write(text, seen.spared);
        write(text, budget.deaths);
        write(text, budget.losses);
        write(text, budget.forces);
        write(text, budget.fair);
        write(text, budget.leaving);
        return text.append(seen.broken).toString();
    }

    private static void write(StringBuilder text, List<Integer> clients, int[] names) {
        clients.forEach(client -> write(text, names[client]));
        text.append('/');
    }

    private static void write(StringBuilder text, int number) {
        text.append((char) ('0' + number));
    }

    @Override
    public String toString() {
        String holder =
                server.holder == NONE ? "free" : server.holder == FAIR ? "a fair call's" : "of " + server.holder;
        return String.format(
                "server: %s%s for %d, wanted %s%s%nclients: %s%nseen: %s",
                holder,
                server.reserved ? ", reserved" : "",
                server.left,
                server.wanted,
                server.queued ? ", a fair call waits" : "",
                clients,
                seen);
    }
}
