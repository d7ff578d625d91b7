package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One client, two servers, and one slot with one lock.
 *
 * @param primary the server that the slot belongs to
 * @param route where the client sends calls of the slot
 * @param waiting calls that wait in a changeover, in no order: any of them may be written first
 * @param excused for each acquisition, whether a field that is left of it is none that the client could prevent
 * @param budget what may still happen
 */
record ChangeoverState(
        int primary,
        List<Server> servers,
        Route route,
        List<Call> waiting,
        List<Acquisition> acquisitions,
        List<Boolean> excused,
        Budget budget) {

    enum Kind {
        ACQUIRE,
        ENTER,
        RELEASE
    }

    /**
     * A call of the engine; each attempt is a call of its own.
     *
     * @param redirected whether a server has refused it with {@code MOVED}
     */
    record Call(Kind kind, int number, int attempt, boolean redirected) {
        Call again() {
            return new Call(kind, number, attempt, true);
        }

        boolean isSame(Call other) {
            return kind == other.kind && number == other.number && attempt == other.attempt;
        }

        @Override
        public String toString() {
            return kind.name().toLowerCase(Locale.ROOT) + " " + number + "." + attempt;
        }
    }

    /**
     * What comes back for a call.
     *
     * @param target for {@code MOVED}, the server that is named; -1 for an answer of the script
     */
    record Answer(Call call, boolean yes, int target) {}

    /**
     * @param believes whether it executes calls of the slot: the primary does, and one that was replaced and does not know it
     * @param connected whether the client has a connection
     * @param late whether the slot has come back since the old connection broke
     * @param fields for each acquisition, the count that is stored
     * @param unwritten calls that are not written to the connection yet, in no order
     * @param sent calls in the socket, in order
     * @param answers on their way back, in order
     * @param old calls in the socket of the connection before
     */
    record Server(
            boolean alive,
            boolean believes,
            boolean connected,
            boolean late,
            List<Integer> fields,
            List<Call> unwritten,
            List<Call> sent,
            List<Answer> answers,
            List<Call> old) {

        static Server first(boolean believes, boolean connected, int acquisitions) {
            List<Integer> none = Collections.nCopies(acquisitions, 0);
            return new Server(true, believes, connected, false, none, List.of(), List.of(), List.of(), List.of());
        }

        Server dead() {
            return new Server(false, false, connected, late, fields, unwritten, sent, answers, List.of());
        }

        Server replaced(List<Integer> stored) {
            return new Server(alive, false, connected, late, stored, unwritten, sent, answers, old);
        }

        Server primary(List<Integer> stored) {
            return new Server(alive, true, connected, !old.isEmpty(), stored, unwritten, sent, answers, old);
        }

        /** The fence goes first: what the old connection still had is not executed any more. */
        Server connecting() {
            return new Server(alive, believes, true, false, fields, unwritten, sent, answers, List.of());
        }

        Server broken() {
            List<Call> behind = alive ? sent : List.of();
            return new Server(alive, believes, false, false, fields, unwritten, List.of(), List.of(), behind);
        }

        Server unwritten(List<Call> calls) {
            return new Server(alive, believes, connected, late, fields, calls, sent, answers, old);
        }

        Server writing(Call call) {
            List<Call> others = without(unwritten, call);
            return new Server(
                    alive, believes, connected, late, fields, others, Lists.appended(sent, call), answers, old);
        }

        Server answering(Answer answer, List<Integer> stored) {
            List<Call> behind = Lists.withoutFirst(sent);
            return new Server(
                    alive, believes, connected, late, stored, unwritten, behind, Lists.appended(answers, answer), old);
        }

        Server heard() {
            return new Server(
                    alive, believes, connected, late, fields, unwritten, sent, Lists.withoutFirst(answers), old);
        }

        Server executedOld(List<Integer> stored) {
            return new Server(
                    alive, believes, connected, late, stored, unwritten, sent, answers, Lists.withoutFirst(old));
        }

        boolean hasInFlight() {
            return !sent.isEmpty() || !answers.isEmpty();
        }
    }

    /**
     * @param from the server that has to answer first, in a changeover; else the same as the other
     * @param to the server that calls go to, or will
     * @param spoilt whether the connection to the first broke meanwhile: where that does not count as an answer
     */
    record Route(int from, int to, boolean open, boolean spoilt) {
        static Route to(int server) {
            return new Route(server, server, false, false);
        }
    }

    enum Phase {
        NEW,
        ASKING,
        HOLDING,
        ENTERING,
        LEAVING,
        OVER
    }

    /**
     * What the engine knows of one acquisition.
     *
     * @param attempt the number of its latest call
     * @param awaits whether that call has no answer yet
     * @param doubt whether an earlier attempt may have been applied
     */
    record Acquisition(Phase phase, int attempt, boolean awaits, boolean doubt) {
        static final Acquisition FIRST = new Acquisition(Phase.NEW, 0, false, false);

        Acquisition sends(Phase next) {
            return new Acquisition(next, attempt + 1, true, doubt);
        }

        Acquisition in(Phase next) {
            boolean over = next == Phase.OVER;
            return new Acquisition(next, over ? 0 : attempt, false, !over && doubt);
        }

        Acquisition unanswered() {
            return new Acquisition(phase, attempt, false, true);
        }

        @Nullable
        Kind kind() {
            return switch (phase) {
                case ASKING -> Kind.ACQUIRE;
                case ENTERING -> Kind.ENTER;
                case LEAVING -> Kind.RELEASE;
                default -> null;
            };
        }
    }

    /**
     * @param moves of the slot
     * @param breaks of connections whose server is alive
     * @param deaths of servers
     * @param rumours old maps that the client may read
     * @param entries re-entries
     */
    record Budget(int moves, int breaks, int deaths, int rumours, int entries) {
        Budget less(int moved, int broken, int died, int rumoured, int entered) {
            return new Budget(moves - moved, breaks - broken, deaths - died, rumours - rumoured, entries - entered);
        }
    }

    Server server(int number) {
        return servers.get(number);
    }

    ChangeoverState with(int server, Server changed) {
        return new ChangeoverState(
                primary, Lists.replaced(servers, server, changed), route, waiting, acquisitions, excused, budget);
    }

    ChangeoverState with(Route changed) {
        return new ChangeoverState(primary, servers, changed, waiting, acquisitions, excused, budget);
    }

    ChangeoverState with(int number, Acquisition changed) {
        return new ChangeoverState(
                primary, servers, route, waiting, Lists.replaced(acquisitions, number, changed), excused, budget);
    }

    ChangeoverState with(Budget left) {
        return new ChangeoverState(primary, servers, route, waiting, acquisitions, excused, left);
    }

    ChangeoverState waiting(List<Call> calls) {
        return new ChangeoverState(primary, servers, route, sorted(calls), acquisitions, excused, budget);
    }

    ChangeoverState belongingTo(int server) {
        return new ChangeoverState(server, servers, route, waiting, acquisitions, excused, budget);
    }

    ChangeoverState excusing(int number) {
        return new ChangeoverState(
                primary, servers, route, waiting, acquisitions, Lists.replaced(excused, number, true), budget);
    }

    /** The places of a call: where it waits, where it is in flight, and its answers. */
    int places(Call call) {
        int places = count(waiting, call);
        for (Server server : servers) {
            places += count(server.unwritten, call) + count(server.sent, call);
            places += (int) server.answers.stream()
                    .filter(answer -> answer.call().isSame(call))
                    .count();
        }
        return places;
    }

    private static int count(List<Call> calls, Call call) {
        return (int) calls.stream().filter(call::isSame).count();
    }

    static List<Call> sorted(List<Call> calls) {
        return calls.size() < 2
                ? calls
                : calls.stream()
                        .sorted(Comparator.comparing(Call::kind)
                                .thenComparingInt(Call::number)
                                .thenComparingInt(Call::attempt))
                        .toList();
    }

    static List<Call> without(List<Call> calls, Call call) {
        List<Call> others = new ArrayList<>(calls);
        others.remove(call);
        return List.copyOf(others);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < servers.size(); i++) {
            Server server = servers.get(i);
            text.append(String.format(
                    "%c: %s%s, %s, fields %s, unwritten %s, in flight %s, answers %s%s%n",
                    'A' + i,
                    i == primary ? "the primary" : server.believes ? "was replaced" : "not the primary",
                    server.alive ? "" : ", dead",
                    server.connected ? "connected" : "not connected",
                    server.fields,
                    server.unwritten,
                    server.sent,
                    server.answers,
                    server.old.isEmpty() ? "" : ", in the old socket " + server.old));
        }
        text.append(
                route.open
                        ? String.format("route: from %c to %c, waiting %s%n", 'A' + route.from, 'A' + route.to, waiting)
                        : String.format("route: %c%n", 'A' + route.to));
        return text
                + acquisitions.stream()
                        .map(each -> each.phase + (each.awaits ? ", awaits an answer" : ""))
                        .collect(Collectors.joining("; ", "client: ", ""));
    }
}
