package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A lock at one server, a client whose calls hand it on among themselves, and a rival elsewhere that wants it too. A call's number is
 * also the field of its request; what a transfer gives it is in another field.
 */
record HandOverState(Server server, Client client, int rivals, Seen seen, Budget budget) {

    static final int FREE = 0;

    /** The field of the rival. */
    static final int RIVAL = -1;

    /** Added to the number of a call, the field that a transfer gives it. */
    static final int RECEIVER = 10;

    /** What has not happened, as a time. */
    static final int NEVER = -1;

    enum Kind {
        ACQUIRE,
        TRANSFER,
        RENEW,
        RELEASE
    }

    enum Answer {
        NONE,
        YES,
        NO
    }

    /**
     * @param field that holds the lock
     * @param left ticks until its lease is over
     * @param token that the lock keeps
     * @param clock the newest token that is minted or reserved
     * @param wanted whether the rival has left word that it waits
     */
    record Server(int field, int left, int token, int clock, boolean wanted) {
        Server freed() {
            return new Server(FREE, 0, 0, clock, wanted);
        }

        Server lasts(int ticks) {
            return new Server(field, Math.max(left, ticks), token, clock, wanted);
        }

        Server hears() {
            return new Server(field, left, token, clock, true);
        }
    }

    /**
     * What the client may do without the server.
     *
     * @param valid ticks for which it is the client's
     * @param window ticks for which it may be handed on
     * @param next the next token of the block
     * @param end the last one
     * @param lease of the calls that may share it
     */
    record Grant(int field, int valid, int window, int next, int end, int lease) {
        Grant used() {
            return new Grant(field, valid, window, next + 1, end, lease);
        }

        Grant suspended() {
            return new Grant(field, valid, 0, next, end, lease);
        }

        Grant raised(int ticks, int opened) {
            return new Grant(field, Math.max(valid, ticks), Math.max(window, opened), next, end, lease);
        }

        Grant later() {
            return new Grant(field, Math.max(0, valid - 1), Math.max(0, window - 1), next, end, lease);
        }
    }

    /** @param left ticks for which it was promised; without an end while the grant is renewed */
    record Hold(int call, int left, int token) {}

    /**
     * A request, and then its answer.
     *
     * @param from the field that a transfer moves
     * @param age ticks since it was sent
     * @param end the last token of the block
     * @param wanted what the answer tells of the rival
     */
    record Request(
            Kind kind, int field, int from, int lease, int age, Answer answer, int token, int end, boolean wanted) {
        static Request of(Kind kind, int field, int from, int lease) {
            return new Request(kind, field, from, lease, 0, Answer.NONE, 0, 0, false);
        }

        Request again() {
            return of(kind, field, from, lease);
        }

        Request refused() {
            return new Request(kind, field, from, lease, age, Answer.NO, 0, 0, false);
        }

        Request granted(int first, int last, boolean isWanted) {
            return new Request(kind, field, from, lease, age, Answer.YES, first, last, isWanted);
        }

        /** When its lease is over its age makes no difference. */
        Request later() {
            return new Request(kind, field, from, lease, Math.min(age + 1, lease), answer, token, end, wanted);
        }

        boolean asks() {
            return kind == Kind.ACQUIRE || kind == Kind.TRANSFER;
        }

        int call() {
            return field % RECEIVER;
        }

        @Override
        public String toString() {
            String what = kind.name().toLowerCase(Locale.ROOT) + " of " + field + (from == 0 ? "" : " from " + from);
            return answer == Answer.NONE ? what : what + ", " + answer.name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param queue the waiting calls, head first
     * @param others whether it knows that the rival waits
     * @param turn ticks for which it may go on then
     * @param news whether word that the lock is free is on its way
     * @param recall whether word that the rival waits is on its way
     * @param cut whether its connection is broken, which it does not know yet
     */
    record Client(
            List<Integer> queue,
            @Nullable Grant grant,
            @Nullable Hold hold,
            List<Request> flight,
            boolean others,
            int turn,
            boolean news,
            boolean recall,
            boolean cut) {

        static final Client NEW = new Client(List.of(), null, null, List.of(), false, 0, false, false, false);

        Client queue(List<Integer> calls) {
            return new Client(calls, grant, hold, flight, others, turn, news, recall, cut);
        }

        Client grant(@Nullable Grant given) {
            return new Client(queue, given, hold, flight, others, turn, news, recall, cut);
        }

        Client hold(@Nullable Hold taken) {
            return new Client(queue, grant, taken, flight, others, turn, news, recall, cut);
        }

        Client flight(List<Request> requests) {
            return new Client(queue, grant, hold, requests, others, turn, news, recall, cut);
        }

        Client sends(Request request) {
            return flight(Lists.appended(flight, request));
        }

        Client turn(boolean known, int ticks) {
            return new Client(queue, grant, hold, flight, known, ticks, news, recall, cut);
        }

        Client news(boolean coming) {
            return new Client(queue, grant, hold, flight, others, turn, coming, recall, cut);
        }

        Client recall(boolean coming) {
            return new Client(queue, grant, hold, flight, others, turn, news, coming, cut);
        }

        Client cut(boolean broken) {
            return new Client(queue, grant, hold, flight, others, turn, news, recall, broken);
        }

        int head() {
            return queue.isEmpty() ? 0 : queue.get(0);
        }

        /** Whether its head has asked, or the lock is on its way to a call. What a call has asked that has left is of no use. */
        boolean asks() {
            return flight.stream()
                    .anyMatch(request ->
                            request.kind == Kind.TRANSFER || request.kind == Kind.ACQUIRE && request.field == head());
        }
    }

    /**
     * What a bystander sees, who knows both sides.
     *
     * @param gone ticks since the server lost the client's field otherwise than by the client
     * @param waits ticks since the rival was refused by the field, or one that followed it in a hand-over
     * @param told ticks since the client heard of that
     * @param newest the greatest token that was handed out
     * @param broken what a step has broken; empty: nothing
     */
    record Seen(int gone, int waits, int told, int newest, String broken) {
        static final Seen NOTHING = new Seen(NEVER, NEVER, NEVER, 0, "");

        Seen gone(int ticks) {
            return new Seen(ticks, waits, told, newest, broken);
        }

        Seen waits(int ticks) {
            return new Seen(gone, ticks, ticks == NEVER ? NEVER : told, newest, broken);
        }

        Seen isTold() {
            return waits == NEVER || told != NEVER ? this : new Seen(gone, waits, 0, newest, broken);
        }

        /** The client has the lock only now: what it was told before counts from here. */
        Seen begins() {
            return told == NEVER ? this : new Seen(gone, waits, 0, newest, broken);
        }

        Seen newest(int token) {
            return new Seen(gone, waits, told, Math.max(newest, token), broken);
        }

        Seen breaks(String what) {
            return new Seen(gone, waits, told, newest, broken.isEmpty() ? what : broken);
        }

        Seen later(int most) {
            return new Seen(later(gone, most), later(waits, most), later(told, most), newest, broken);
        }

        private static int later(int ticks, int most) {
            return ticks == NEVER ? NEVER : Math.min(ticks + 1, most);
        }
    }

    /** What may still happen. */
    record Budget(int arrivals, int cancels, int drops, int deletions, int restarts, int renewals, int steps) {
        Budget less(int arrived, int cancelled, int dropped, int deleted, int restarted, int renewed, int stepped) {
            return new Budget(
                    arrivals - arrived,
                    cancels - cancelled,
                    drops - dropped,
                    deletions - deleted,
                    restarts - restarted,
                    renewals - renewed,
                    steps - stepped);
        }
    }

    /** The least token that may be handed out from here on. */
    private int least() {
        int least = server.clock + 1;
        for (Request request : client.flight) {
            least = request.answer == Answer.YES ? Math.min(least, request.token) : least;
        }
        least = server.field == FREE ? least : Math.min(least, server.token);
        return client.grant == null ? least : Math.min(least, client.grant.next);
    }

    /** The same with all tokens counted from the clock: which ones they are makes no difference, nor how old the newest is. */
    HandOverState sinceClock() {
        int by = server.clock;
        Grant grant = client.grant;
        Hold hold = client.hold;
        List<Request> flight = client.flight.stream()
                .map(request -> request.answer == Answer.YES
                        ? request.granted(request.token - by, request.end - by, request.wanted)
                        : request)
                .toList();
        Client shifted = client.flight(flight)
                .grant(
                        grant == null
                                ? null
                                : new Grant(
                                        grant.field,
                                        grant.valid,
                                        grant.window,
                                        grant.next - by,
                                        grant.end - by,
                                        grant.lease))
                .hold(hold == null ? null : new Hold(hold.call, hold.left, hold.token - by));
        return new HandOverState(
                new Server(server.field, server.left, server.field == FREE ? 0 : server.token - by, 0, server.wanted),
                shifted,
                rivals,
                new Seen(seen.gone, seen.waits, seen.told, Math.max(seen.newest, least() - 1) - by, seen.broken),
                budget);
    }

    HandOverState with(Server changed) {
        return new HandOverState(changed, client, rivals, seen, budget);
    }

    HandOverState with(Client changed) {
        return new HandOverState(server, changed, rivals, seen, budget);
    }

    HandOverState with(Seen changed) {
        return new HandOverState(server, client, rivals, changed, budget);
    }

    HandOverState with(Budget changed) {
        return new HandOverState(server, client, rivals, seen, changed);
    }

    HandOverState oneRivalLess() {
        return new HandOverState(server, client, rivals - 1, seen, budget);
    }

    @Override
    public String toString() {
        String holder = server.field == FREE ? "free" : server.field == RIVAL ? "the rival's" : "of " + server.field;
        return String.format(
                "server: %s for %d, clock at %d%s%nclient: queue %s, %s, %s, in flight %s%s%s%nseen: %s",
                holder,
                server.left,
                server.clock,
                server.wanted ? ", wanted" : "",
                client.queue,
                client.hold == null ? "no hold" : client.hold,
                client.grant == null ? "no grant" : client.grant,
                client.flight,
                client.others ? ", knows of the rival, turn " + client.turn : "",
                client.cut ? ", cut off" : "",
                seen);
    }
}
