package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.engine.kind.Queued;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * ORD: the queue that a server keeps of a lock. Who came first is admitted first; a place is kept for as long as its client is
 * there; and a call that has ended leaves none.
 *
 * <p>It looks at the data of the server after each script, and goes by the owners of handles, of which each makes one call: that
 * a call keeps its field is what is to be shown. Threads may make several; of those it goes by fields. What servers forget, and what reservations of those who do not come cost, is a new beginning for its owner.
 */
final class QueueChecker {

    private static final long PRESENCE_NANOS = 1_000_000 * (Queued.PRESENCE_MILLIS + 1_000);
    /** A release of a place may be on its way. */
    private static final int MOST_LOOKS_WITHOUT_CALL = 15;

    private final World world;
    private final Complaints complaints;
    private final List<String> keys;
    private final List<SimulatedClient> clients;
    private final BooleanSupplier keepsAllPlaces;
    private final BooleanSupplier tellsAllMessages;
    private final List<Line> lines = new ArrayList<>();
    private final IdleChecker idle;
    /** When a reservation of each client last ran out unclaimed. */
    private final Map<@Nullable SimulatedClient, Long> ranOutNanos = new HashMap<>();

    private long lostDataNanos = -PRESENCE_NANOS;

    /** The queue of one lock. */
    private static final class Line {

        /** Who is in it, in the order in which they came, each with its member. */
        final Map<String, String> waiting = new LinkedHashMap<>();
        /** Members that were admitted, and have not claimed what is reserved for them. */
        final Set<String> reserved = new LinkedHashSet<>();
        /** Members that were admitted by the script that has just run. */
        final Set<String> justAdmitted = new HashSet<>();
        /** Members that hold the lock, and were told so. */
        final Set<String> granted = new HashSet<>();
        /** How often in a row a member was found whose client had no call, by member. */
        final Map<String, Integer> looksWithoutCall = new LinkedHashMap<>();
        /** Members that were there, or were in, after a server had lost data: a replica may bring back what was given back. */
        final Set<String> broughtBack = new HashSet<>();
    }

    /**
     * @param keepsAllPlaces whether nothing goes wrong by which a client that is there may lose its place
     * @param tellsAllMessages whether nothing goes wrong by which it may miss its turn
     * @param hinderedUntilNanos until when requests of clients that are there may not reach their server
     * @param messyUntilNanos until when messages may be lost
     */
    QueueChecker(
            World world,
            Complaints complaints,
            List<String> keys,
            List<SimulatedClient> clients,
            BooleanSupplier keepsAllPlaces,
            BooleanSupplier tellsAllMessages,
            LongSupplier hinderedUntilNanos,
            LongSupplier messyUntilNanos) {
        this.world = world;
        this.complaints = complaints;
        this.keys = keys;
        this.clients = clients;
        this.keepsAllPlaces = keepsAllPlaces;
        this.tellsAllMessages = tellsAllMessages;
        this.idle = new IdleChecker(
                world,
                complaints,
                clients,
                () -> Math.max(
                        hinderedUntilNanos.getAsLong() + WakeUpChecker.AFTERMATH_NANOS, lostDataNanos + PRESENCE_NANOS),
                messyUntilNanos);
        keys.forEach(key -> lines.add(new Line()));
    }

    /** Looks whether what is free is left so for longer than is promised. */
    void lookForIdle(Keyspace data) {
        for (int lock = 0; lock < keys.size(); lock++) {
            lookForIdle(lines.get(lock), keys.get(lock), data, false);
        }
    }

    private void lookForIdle(Line line, String key, Keyspace data, boolean told) {
        List<String> waiting = new ArrayList<>(Places.waiting(data, key));
        Set<String> reserved = new LinkedHashSet<>(line.reserved);
        // Of what a replica has brought back, the call may be over.
        waiting.removeAll(line.broughtBack);
        reserved.removeAll(line.broughtBack);
        idle.look(key, data, reserved, waiting, told);
    }

    /** The lease of a hold was over. */
    void expired(LuaString key) {
        idle.expired(key.tojstring());
    }

    // --- after each script ---

    /** A server has run a script. */
    void ran(Request request, Keyspace data) {
        for (int lock = 0; lock < keys.size(); lock++) {
            if (request.key(1).tojstring().equals(keys.get(lock))) {
                look(lines.get(lock), keys.get(lock), request, data);
                lookForIdle(lines.get(lock), keys.get(lock), data, request.givesBack());
            }
        }
    }

    private void look(Line line, String key, Request request, Keyspace data) {
        List<String> members = Places.texts(data.zrange(LuaString.valueOf(key + ":queue"), 0, -1));
        String parted = request.isPart() ? request.field().tojstring() : "";
        for (Map.Entry<String, String> each : List.copyOf(line.waiting.entrySet())) {
            String member = each.getValue();
            String field = member.substring(1);
            if (members.contains(member)) {
                continue;
            }
            if (Places.isIn(data, key, member)) {
                admitted(line, key, each.getKey(), member, data);
            } else if (!field.equals(parted) && !isAboveLimit(data, key, member)) {
                dropped(line, key, field, data);
            }
            if (field.equals(parted)) {
                idle.left(key, member, List.copyOf(line.waiting.values()), line.reserved);
            }
            line.waiting.remove(each.getKey());
        }
        for (String member : members) {
            line.waiting.putIfAbsent(caller(member), member);
        }
        claims(line, key, request, data);
    }

    private void claims(Line line, String key, Request request, Keyspace data) {
        String asking = request.isJoin() || request.isPart() ? request.member() : "";
        boolean isIn = request.isJoin() && Places.isIn(data, key, asking);
        boolean known =
                line.reserved.remove(asking) || line.granted.contains(asking) || line.broughtBack.contains(asking);
        boolean beside = request.isCallOf("queue-join") && request.argument(4).length() > 0;
        boolean isPassing = line.waiting.values().stream().anyMatch(member -> Places.isPresent(data, key, member));
        if (isIn && !known && !beside && isPassing && !line.justAdmitted.contains(asking)) {
            complaints.broken("ORD", key + ": " + asking + " passes " + line.waiting.values());
        }
        if (isIn) {
            line.granted.add(asking);
        }
        line.granted.removeIf(member -> !Places.isIn(data, key, member));
        line.justAdmitted.remove(asking);
        line.reserved.addAll(line.justAdmitted);
        line.justAdmitted.clear();
        boolean forced = request.isCallOf("queue-force") || request.isCallOf("force");
        for (String member : List.copyOf(line.reserved)) {
            if (!Places.isIn(data, key, member)) {
                line.reserved.remove(member);
                if (forced) {
                    idle.freedByForce(key);
                } else {
                    ranOutNanos.put(client(member.substring(1)), world.nanos());
                    idle.ranOut(key, member);
                }
                if (!forced && tellsAllMessages.getAsBoolean() && isThere(member.substring(1))) {
                    complaints.broken("ORD", key + ": what was reserved for " + member + " has run out unclaimed");
                }
            }
        }
    }

    /** Whether a member asks for more permits than there are, so that it is told of that and has no place. */
    private static boolean isAboveLimit(Keyspace data, String key, String member) {
        LuaString limit = member.charAt(0) == 'p'
                ? data.hget(LuaString.valueOf(key.replace(":permits", ":limit")), LuaString.valueOf("limit"))
                : null;
        return limit != null && Places.size(member) > limit.toint();
    }

    /** Whoever came before it has been admitted, or has left, or is passed over until its client is there again (rule 131). */
    private void admitted(Line line, String key, String owner, String member, Keyspace data) {
        line.justAdmitted.add(member);
        for (Map.Entry<String, String> first : line.waiting.entrySet()) {
            if (first.getKey().equals(owner)) {
                return;
            }
            if (Places.isPresent(data, key, first.getValue())) {
                complaints.broken(
                        "ORD", key + ": " + member + " is admitted, but " + first.getValue() + " was there before it");
            }
        }
    }

    private void dropped(Line line, String key, String field, Keyspace data) {
        boolean lostIt = isThere(field) && !sleptThroughItsTurn(line, key, client(field), data);
        if (lostIt && keepsAllPlaces.getAsBoolean() && world.nanos() - lostDataNanos > PRESENCE_NANOS) {
            complaints.broken("ORD", key + ": " + field + " has lost its place, but its client is there");
        }
    }

    /** Whether what was reserved for a client has run out: until it asks again it counts as absent (rule 46). */
    private boolean sleptThroughItsTurn(Line line, String key, @Nullable SimulatedClient client, Keyspace data) {
        Long ranOut = client == null ? null : ranOutNanos.get(client);
        return ranOut != null && world.nanos() - ranOut < PRESENCE_NANOS
                || line.reserved.stream()
                        .anyMatch(member -> client(member.substring(1)) == client && !Places.isIn(data, key, member));
    }

    private boolean isThere(String field) {
        SimulatedClient client = client(field);
        return client != null && client.isInUse() && client.isRunning() && client.pausedNanos() == 0;
    }

    /** A server may have lost what it knew. */
    void lostData(Keyspace data) {
        lostDataNanos = world.nanos();
        for (int lock = 0; lock < keys.size(); lock++) {
            Line line = lines.get(lock);
            line.waiting.clear();
            line.reserved.clear();
            line.granted.clear();
            String key = keys.get(lock);
            line.broughtBack.addAll(Places.texts(data.zrange(LuaString.valueOf(key + ":queue"), 0, -1)));
            Places.texts(data.zrange(LuaString.valueOf(key + ":readers"), 0, -1))
                    .forEach(field -> line.broughtBack.add("r" + field));
            if (data.type(LuaString.valueOf(key)).equals("hash")) {
                Places.texts(data.hgetall(LuaString.valueOf(key))).forEach(text -> line.broughtBack.add("w" + text));
            }
        }
    }

    // --- from time to time ---

    /** With everything in order, each place is that of a call. */
    void look(SimulatedServer server, List<Call> open, boolean calm) {
        for (int lock = 0; lock < keys.size(); lock++) {
            Map<String, Integer> looks = lines.get(lock).looksWithoutCall;
            List<String> members =
                    Places.texts(server.keys().zrange(LuaString.valueOf(keys.get(lock) + ":queue"), 0, -1));
            looks.keySet().retainAll(members);
            for (String member : members) {
                boolean left = calm && !lines.get(lock).broughtBack.contains(member) && isLeft(member, lock, open);
                int times = left ? looks.merge(member, 1, Integer::sum) : 0;
                if (!left) {
                    looks.remove(member);
                }
                if (times > MOST_LOOKS_WITHOUT_CALL) {
                    complaints.broken("HC", keys.get(lock) + ": the place of " + member + " is left, but no call");
                }
            }
        }
    }

    /** Whether no call can be that of a member; of a handle it is not known which is. */
    private boolean isLeft(String member, int lock, List<Call> open) {
        SimulatedClient client = client(member.substring(1));
        if (client == null || !client.isInUse() || !client.isRunning()) {
            return false;
        }
        String owner = owner(member);
        return open.stream()
                .filter(call -> call.client == client && call.lock == lock && call.wantsLock())
                .noneMatch(call -> call.owner.isEmpty() || call.owner.equals(owner));
    }

    private @Nullable SimulatedClient client(String field) {
        return Places.client(clients, field);
    }

    private static String caller(String member) {
        boolean ofHandle = RoundChecker.isOfHandle(LuaString.valueOf(member.substring(1)));
        return ofHandle ? owner(member) : member;
    }

    private static String owner(String member) {
        return member.substring(1, member.lastIndexOf(':'));
    }
}
