package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Three nodes of one lock, and three clients that want it. */
record NodeTurnsState(List<Node> nodes, List<Client> clients, int begun, Seen seen, int deaths) {
    static final int NODES = 3;
    static final int MAJORITY = 2;
    static final int CLIENTS = 3;
    /** No client; and the message that the lock is free for all. */
    static final int NONE = 0;
    /** Nothing was heard. */
    static final int NOTHING = -1;
    /** It does not look by itself. */
    static final int NO_LOOK = -1;

    enum Phase {
        IDLE,
        ASKING,
        WAITING,
        HOLDING,
        DEAD
    }

    enum Request {
        PROPOSE,
        GIVE_BACK,
        RELEASE
    }

    /** Word of a client, and since when its call waits. */
    record Word(int client, int since) {}

    record Node(int holder, boolean reserved, boolean lapsed, List<Word> words) {
        Node held(int client) {
            return new Node(client, false, false, words);
        }

        Node words(List<Word> changed) {
            return new Node(holder, reserved, lapsed, changed);
        }

        Node without(int client) {
            return words(words.stream().filter(word -> word.client != client).toList());
        }

        Node freed(boolean isReserved) {
            return new Node(NONE, isReserved, false, words);
        }

        Node lapses() {
            return new Node(holder, reserved, true, words);
        }

        Node dropsReservation() {
            return new Node(holder, false, false, words);
        }

        /** Its word, newer than any that it left before. */
        Node hears(int client, int since) {
            List<Word> changed = new ArrayList<>();
            boolean isThere = false;
            for (Word word : words) {
                isThere |= word.client == client;
                changed.add(word.client == client ? new Word(client, since) : word);
            }
            if (!isThere) {
                changed.add(new Word(client, since));
            }
            return words(List.copyOf(changed));
        }

        int since(int client) {
            return words.stream()
                    .filter(word -> word.client == client)
                    .mapToInt(Word::since)
                    .findFirst()
                    .orElse(0);
        }

        /** The client whose call waits longest, or of which this node has heard first; none if it knows of none. */
        int first(boolean byCall) {
            if (!byCall) {
                return words.isEmpty() ? NONE : words.get(0).client;
            }
            return words.stream()
                    .min(Comparator.comparingInt(Word::since))
                    .map(Word::client)
                    .orElse(NONE);
        }
    }

    /**
     * What is between a client and a node.
     *
     * @param flight what the node has yet to execute
     * @param granted whether it has granted the lock in this round
     * @param refusedFor for which client it has refused it in this round; none if it has not
     * @param heard what it said last
     * @param behind whether it may yet say what the client acts upon already
     */
    record Link(List<Request> flight, boolean granted, int refusedFor, int heard, boolean behind) {
        static final Link IDLE = new Link(List.of(), false, NONE, NOTHING, false);

        Link sends(Request request) {
            return new Link(Lists.appended(flight, request), granted, refusedFor, heard, behind);
        }

        Link executed() {
            return new Link(Lists.withoutFirst(flight), granted, refusedFor, heard, behind);
        }

        Link grants() {
            return new Link(flight, true, NONE, heard, behind);
        }

        Link refuses(int other) {
            return new Link(flight, false, other, heard, behind);
        }

        Link begins() {
            return new Link(Lists.appended(flight, Request.PROPOSE), false, NONE, heard, behind);
        }

        Link ends() {
            return new Link(flight, false, NONE, heard, behind);
        }

        Link hears(int message) {
            return new Link(flight, granted, refusedFor, message, false);
        }

        Link isBehind(boolean may) {
            return new Link(flight, granted, refusedFor, NOTHING, may);
        }

        boolean isOpen() {
            return flight.contains(Request.PROPOSE);
        }
    }

    /**
     * @param calls that are still to come
     * @param since when its call has begun
     * @param told what it acted upon last
     * @param again whether it is to ask again when it is refused
     * @param look in how many ticks it is to ask if it hears nothing
     */
    record Client(Phase phase, int calls, int since, List<Link> links, int told, boolean again, int look) {
        static Client first(int calls) {
            return new Client(Phase.IDLE, calls, 0, List.of(Link.IDLE, Link.IDLE, Link.IDLE), NOTHING, false, NO_LOOK);
        }

        Client begins(int now) {
            return new Client(phase, calls - 1, now, links, told, again, look);
        }

        Client asks() {
            return new Client(
                    Phase.ASKING, calls, since, links.stream().map(Link::begins).toList(), told, false, NO_LOOK);
        }

        Client as(Phase changed) {
            return new Client(changed, calls, since, links, told, again, look);
        }

        Client with(List<Link> changed) {
            return new Client(phase, calls, since, changed, told, again, look);
        }

        Client with(int node, Link changed) {
            return with(Lists.replaced(links, node, changed));
        }

        Client isToAskAgain() {
            return new Client(phase, calls, since, links, told, true, look);
        }

        Client looksIn(int ticks) {
            return new Client(phase, calls, since, links, told, again, ticks);
        }

        Client acts(int message) {
            boolean byMost = heard(message) >= MAJORITY;
            List<Link> changed = links.stream()
                    .map(link -> link.isBehind(byMost && link.heard == NOTHING))
                    .toList();
            return new Client(phase, calls, since, changed, message, again, look);
        }

        /** The wait is over: what it heard, and whether it is to look, does not matter any more. */
        Client rests(Phase changed) {
            List<Link> quiet = links.stream().map(link -> link.isBehind(false)).toList();
            return new Client(changed, calls, 0, quiet, NOTHING, false, NO_LOOK);
        }

        boolean waits() {
            return phase == Phase.ASKING || phase == Phase.WAITING;
        }

        int granted() {
            return (int) links.stream().filter(Link::granted).count();
        }

        int refused() {
            return (int) links.stream().filter(link -> link.refusedFor != NONE).count();
        }

        int heard(int message) {
            return (int) links.stream().filter(link -> link.heard == message).count();
        }
    }

    /**
     * @param lapses how many reservations have ended unused
     * @param idle for how many ticks no client has had the lock, though one waits for it
     * @param orderly whether all clients that want it were waiting when it was released last
     * @param isSplit whether one of them got a node since then, and no majority
     * @param isPassed whether a younger call was granted the lock then
     */
    record Seen(int lapses, int idle, boolean orderly, boolean isSplit, boolean isPassed) {
        static final Seen NOTHING = new Seen(0, 0, false, false, false);

        Seen idle(int ticks) {
            return new Seen(lapses, ticks, orderly, isSplit, isPassed);
        }

        Seen lapsed() {
            return new Seen(lapses + 1, idle, orderly, isSplit, isPassed);
        }

        Seen orderly(boolean changed) {
            return new Seen(lapses, idle, changed, isSplit, isPassed);
        }

        Seen split() {
            return new Seen(lapses, idle, orderly, true, isPassed);
        }

        Seen passed() {
            return new Seen(lapses, idle, orderly, isSplit, true);
        }
    }

    Client client(int number) {
        return clients.get(number - 1);
    }

    NodeTurnsState with(int number, Client changed) {
        return new NodeTurnsState(nodes, Lists.replaced(clients, number - 1, changed), begun, seen, deaths);
    }

    NodeTurnsState withNode(int node, Node changed) {
        return new NodeTurnsState(Lists.replaced(nodes, node, changed), clients, begun, seen, deaths);
    }

    NodeTurnsState with(Seen changed) {
        return new NodeTurnsState(nodes, clients, begun, changed, deaths);
    }

    NodeTurnsState begins() {
        return new NodeTurnsState(nodes, clients, begun + 10, seen, deaths);
    }

    NodeTurnsState dies() {
        return new NodeTurnsState(nodes, clients, begun, seen, deaths - 1);
    }

    boolean isHeld() {
        return clients.stream().anyMatch(client -> client.phase == Phase.HOLDING);
    }

    /** Nothing is on its way. */
    boolean isQuiet() {
        return clients.stream().allMatch(client -> client.links.stream().allMatch(link -> link.flight.isEmpty()));
    }

    /** What is the same for states that differ only in the numbers of the nodes. */
    String identity() {
        List<String> each = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            StringBuilder text = new StringBuilder(48);
            Node at = nodes.get(node);
            text.append(at.holder).append(at.reserved ? (at.lapsed ? 'l' : 'r') : '-');
            at.words.forEach(word -> text.append(word.client).append(word.since));
            for (Client client : clients) {
                Link link = client.links.get(node);
                text.append('/');
                link.flight.forEach(request -> text.append(request.name().charAt(0)));
                text.append(link.granted ? 'g' : link.refusedFor)
                        .append(link.heard)
                        .append(link.behind ? 'b' : '-');
            }
            each.add(text.toString());
        }
        each.sort(Comparator.naturalOrder());
        StringBuilder text = new StringBuilder(160);
        each.forEach(node -> text.append(node).append('|'));
        for (Client client : clients) {
            text.append(client.phase.ordinal())
                    .append(client.calls)
                    .append(client.since)
                    .append(client.told);
            text.append(client.again ? 'a' : '-').append(client.look).append(',');
        }
        return text.append(seen.lapses)
                .append(seen.idle)
                .append(seen.orderly)
                .append(seen.isSplit)
                .append(seen.isPassed)
                .append(deaths)
                .toString();
    }

    @Override
    public String toString() {
        return String.format("nodes: %s%nclients: %s%nseen: %s", nodes, clients, seen);
    }
}
