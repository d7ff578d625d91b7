package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One server and its clients. Time is what is left of each lease.
 *
 * @param key who holds the lock, if anybody does
 * @param minted the newest token of the server's clock
 * @param newest the newest token that was handed out
 * @param revived whether the server prolonged a hold after a newer one was handed out, and its client believed it
 */
record ServerState(@Nullable Key key, List<Client> clients, int minted, int newest, boolean revived, int restarts) {

    record Key(int client, int field, int count, int left, int token) {
        Key raised(int lease) {
            return new Key(client, field, count, Math.max(left, lease), token);
        }

        Key lowered(int lease) {
            return new Key(client, field, count, lease, token);
        }

        Key counted(int count) {
            return new Key(client, field, count, left, token);
        }
    }

    enum Kind {
        FENCE,
        ACQUIRE,
        REENTER,
        RENEW,
        TRANSFER,
        RELEASE,
        UNDO
    }

    /**
     * @param number of the acquisition
     * @param count the hold count to reach
     */
    record Request(Kind kind, int number, int count) {
        @Override
        public String toString() {
            return kind.name().toLowerCase(Locale.ROOT) + (kind == Kind.FENCE ? "" : " " + number + " to " + count);
        }
    }

    /**
     * @param token 0 if the request was refused
     * @param newest the newest token that had been handed out when the request was executed
     */
    record Answer(int token, int newest) {}

    enum Phase {
        IDLE,
        ASKING,
        HOLDING,
        PASSING
    }

    /** What is left to do. */
    record Budget(int rounds, int entries, int renewals, int transfers, int reconnects) {}

    /**
     * @param number of its last acquisition
     * @param valid how long its hold is valid
     * @param asked how long the answer to the pending request would be valid
     * @param pending sent, and not answered
     * @param sent on its connection, and not yet executed
     * @param stale in the socket of its former connection, and not yet executed
     */
    record Client(
            Phase phase,
            int number,
            int count,
            int valid,
            int token,
            int asked,
            @Nullable Request pending,
            @Nullable Answer answer,
            List<Request> sent,
            List<Request> stale,
            Budget budget) {

        Client idle() {
            return new Client(Phase.IDLE, number, 0, 0, 0, 0, null, null, sent, stale, budget);
        }

        Client hold(int number, int count, int valid, int token) {
            return new Client(Phase.HOLDING, number, count, valid, token, 0, null, null, sent, stale, budget);
        }

        Client await(Phase phase, int number, int asked, Request request) {
            return new Client(
                    phase,
                    number,
                    count,
                    valid,
                    token,
                    asked,
                    request,
                    null,
                    Lists.appended(sent, request),
                    stale,
                    budget);
        }

        Client answered(@Nullable Answer answer) {
            return new Client(phase, number, count, valid, token, asked, pending, answer, sent, stale, budget);
        }

        Client at(int valid, int asked) {
            return new Client(phase, number, count, valid, token, asked, pending, answer, sent, stale, budget);
        }

        Client queues(List<Request> sent, List<Request> stale) {
            return new Client(phase, number, count, valid, token, asked, pending, answer, sent, stale, budget);
        }

        Client send(Request request) {
            return queues(Lists.appended(sent, request), stale);
        }

        Client spend(int rounds, int entries, int renewals, int transfers, int reconnects) {
            Budget less = new Budget(
                    budget.rounds - rounds,
                    budget.entries - entries,
                    budget.renewals - renewals,
                    budget.transfers - transfers,
                    budget.reconnects - reconnects);
            return new Client(phase, number, count, valid, token, asked, pending, answer, sent, stale, less);
        }
    }

    ServerState with(@Nullable Key key) {
        return new ServerState(key, clients, minted, newest, revived, restarts);
    }

    ServerState mint(int client, int field) {
        int token = minted + 1;
        Key key = new Key(client, field, 1, ServerBounds.LEASE, token);
        return new ServerState(key, clients, token, newest, revived, restarts);
    }

    ServerState with(int client, Client changed) {
        return new ServerState(key, Lists.replaced(clients, client, changed), minted, newest, revived, restarts);
    }

    ServerState handedOut(int token) {
        return new ServerState(key, clients, minted, Math.max(newest, token), revived, restarts);
    }

    ServerState renewed(int token, Answer answer) {
        return new ServerState(key, clients, minted, newest, revived || token < answer.newest(), restarts);
    }

    ServerState forgotten() {
        return new ServerState(null, clients, minted, newest, revived, restarts - 1);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("server: ");
        text.append(
                key == null
                        ? "free"
                        : String.format(
                                "client %d's, field %d, count %d, token %d, %d left",
                                key.client() + 1, key.field(), key.count(), key.token(), key.left()));
        for (int i = 0; i < clients.size(); i++) {
            Client client = clients.get(i);
            text.append(String.format(
                    "%nclient %d: %s, number %d, token %d, valid for %d; sent %s, stale %s",
                    i + 1,
                    client.phase().name().toLowerCase(Locale.ROOT),
                    client.number(),
                    client.token(),
                    client.valid(),
                    client.sent(),
                    client.stale()));
        }
        return text.toString();
    }
}
