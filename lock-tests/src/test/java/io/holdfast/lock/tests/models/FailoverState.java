package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Servers, Sentinels and clients. Time is what is left of each lease, and how long ago something was.
 *
 * @param promoted for each epoch the server that was made the primary; the epoch is the place in the list
 * @param sentinels for each Sentinel and epoch, how long ago it named it last: 0 for now, -1 for never
 * @param restarts how many more times a server may restart
 */
record FailoverState(
        List<Server> servers,
        List<Integer> promoted,
        List<List<Integer>> sentinels,
        List<Client> clients,
        int restarts) {

    /** What a process knows of what the one before it knew. */
    enum Memory {
        NOTHING,
        /** All but the lock: it was taken after the snapshot, or after the last write to the disk. */
        MOST,
        ALL
    }

    /**
     * @param run its number; 1 is the run at the start
     * @param writes whether it calls itself the primary and takes writes
     * @param owner the client that has the lock there, and 0 for none
     * @param left how long its lease still is
     * @param term the term that is stored; null for none
     */
    record Server(int run, boolean writes, int owner, int left, @Nullable Term term) {

        Server owned(int by, int lease) {
            return new Server(run, writes, by, lease, term);
        }

        Server freed() {
            return owned(0, 0);
        }

        Server inTerm(Term begun) {
            return new Server(run, writes, owner, left, begun);
        }

        Server primary() {
            return new Server(run, true, owner, left, term);
        }

        /** The replica of a server, with all that it has. */
        Server copyOf(Server primary) {
            return new Server(run, false, primary.owner, primary.left, primary.term);
        }

        Server restarted(Memory memory) {
            boolean knows = memory == Memory.ALL;
            return new Server(
                    run + 1, writes, knows ? owner : 0, knows ? left : 0, memory == Memory.NOTHING ? null : term);
        }

        Server older(int most) {
            int stillLeft = Math.max(0, left - 1);
            return new Server(
                    run, writes, stillLeft == 0 ? 0 : owner, stillLeft, term == null ? null : term.older(most));
        }
    }

    /**
     * A server's replication id, which changes with every restart and every promotion.
     *
     * @param promotion the epoch in which it was promoted last
     */
    record Id(int run, int promotion) {}

    /**
     * A term: locks are granted by one server under one replication id, while Sentinels name it in one epoch.
     *
     * @param age how long ago it began
     */
    record Term(Id id, int epoch, int age) {
        boolean isSame(Term other) {
            return id.equals(other.id) && epoch == other.epoch;
        }

        @Override
        public String toString() {
            return String.format("term of run %d, promoted in %d, in epoch %d, %d", id.run, id.promotion, epoch, age);
        }

        Term older(int most) {
            return age == most ? this : new Term(id, epoch, age + 1);
        }
    }

    /**
     * @param valid for how long it holds the lock; 0 if it does not
     * @param seen the term that it saw when it connected; null unless clients go by that
     */
    record Client(int valid, @Nullable Term seen) {

        Client holding(int until) {
            return new Client(until, seen);
        }

        Client older(int most) {
            return new Client(Math.max(0, valid - 1), seen == null ? null : seen.older(most));
        }
    }

    /** The replication id of a server that is, or was, the primary. */
    Id id(int server) {
        return new Id(servers.get(server).run(), promoted.lastIndexOf(server));
    }

    /** The epoch of the latest promotion. */
    int latest() {
        return promoted.size() - 1;
    }

    FailoverState with(int server, Server changed) {
        return new FailoverState(Lists.replaced(servers, server, changed), promoted, sentinels, clients, restarts);
    }

    int valid(int client) {
        return clients.get(client).valid();
    }

    FailoverState holding(int client, int until) {
        return withClient(client, clients.get(client).holding(until));
    }

    FailoverState withClient(int client, Client changed) {
        return new FailoverState(servers, promoted, sentinels, Lists.replaced(clients, client, changed), restarts);
    }

    FailoverState oneRestartLess() {
        return new FailoverState(servers, promoted, sentinels, clients, restarts - 1);
    }

    /** A server is made the primary; no Sentinel names it yet. */
    FailoverState promoting(int server) {
        List<List<Integer>> told =
                sentinels.stream().map(named -> Lists.appended(named, -1)).toList();
        return new FailoverState(
                Lists.replaced(servers, server, servers.get(server).primary()),
                Lists.appended(promoted, server),
                told,
                clients,
                restarts);
    }

    FailoverState naming(int sentinel, int epoch) {
        List<Integer> named = Lists.replaced(sentinels.get(sentinel), epoch, 0);
        return new FailoverState(servers, promoted, Lists.replaced(sentinels, sentinel, named), clients, restarts);
    }

    /** The epoch that a Sentinel names now: the highest that it has heard of. */
    static int epochOf(List<Integer> named) {
        int epoch = named.size() - 1;
        while (named.get(epoch) < 0) {
            epoch--;
        }
        return epoch;
    }

    /** A Sentinel's words when time has passed; what it names now stays new. */
    static List<Integer> older(List<Integer> named, int most) {
        int now = epochOf(named);
        List<Integer> later = new ArrayList<>();
        for (int epoch = 0; epoch < named.size(); epoch++) {
            int age = named.get(epoch);
            later.add(age < 0 || epoch == now ? age : Math.min(most, age + 1));
        }
        return List.copyOf(later);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < servers.size(); i++) {
            Server server = servers.get(i);
            Term term = server.term();
            text.append(String.format(
                    "server %c: run %d, %s, %s, %s%n",
                    'A' + i,
                    server.run(),
                    server.writes() ? "takes writes" : "replica",
                    server.owner() == 0 ? "free" : "client " + server.owner() + "'s, " + server.left() + " left",
                    term == null ? "no term" : term + " old"));
        }
        for (int i = 0; i < sentinels.size(); i++) {
            int epoch = epochOf(sentinels.get(i));
            text.append(String.format("Sentinel %d: names %c in epoch %d%n", i + 1, 'A' + promoted.get(epoch), epoch));
        }
        for (int i = 0; i < clients.size(); i++) {
            text.append(String.format(
                    "client %d: valid for %d%n", i + 1, clients.get(i).valid()));
        }
        return text.toString().stripTrailing();
    }
}
