package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Reply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luaj.vm2.LuaString;

/** What a client has asked of servers and was told by them: what it tells owners is compared with that. */
final class Heard {

    private static final long SECOND = 1_000_000_000L;

    private final World world;
    private final Map<LuaString, Long> refused = new HashMap<>();
    private final Map<LuaString, List<Long>> hopeless = new HashMap<>();
    private final Map<LuaString, Deque<Long>> asked = new HashMap<>();
    private final Map<LuaString, Long> failing = new HashMap<>();
    private final Map<String, Long> gone = new HashMap<>();
    private final Map<String, Long> confirmed = new HashMap<>();
    private final Map<LuaString, Long> held = new HashMap<>();
    private final Map<LuaString, Long> heardHeld = new HashMap<>();
    private final Map<LuaString, Turn> turns = new HashMap<>();
    private int mostHandOvers;
    private long longestTurnNanos;
    private long longestTakenNanos;
    private long longestAmongOthersNanos;
    private String watchedScript = "";
    private Runnable atWatched = () -> {};

    /** From a server's grant on, for as long as the lock is only handed on. */
    private static final class Turn {

        long sinceNanos;
        int handOvers;
        /** Since when its client knows that others want the lock; negative if it does not. */
        long toldNanos = -1;
    }

    Heard(World world) {
        this.world = world;
    }

    /** Does something whenever a script is called. */
    void whenCalled(String script, Runnable action) {
        watchedScript = script;
        atWatched = action;
    }

    // --- from the connection ---

    /** A script call has to wait for a connection. */
    void wantsToAsk(Request request) {
        if (request.askedNanos < 0) {
            request.askedNanos = world.nanos();
        }
    }

    /** A script call is sent. */
    void asks(Request request) {
        wantsToAsk(request);
        if (name(request).equals(watchedScript)) {
            atWatched.run();
        }
        if (request.isAcquisition()) {
            asked.computeIfAbsent(request.key(1), first -> new ArrayDeque<>()).add(world.nanos());
        } else if (name(request).equals("transfer")) {
            Turn turn = turns.computeIfAbsent(request.key(1), first -> new Turn());
            long turnNanos = world.nanos() - turn.sinceNanos;
            if (request.takesTurns()) {
                longestTakenNanos = Math.max(longestTakenNanos, turnNanos);
                longestAmongOthersNanos =
                        Math.max(longestAmongOthersNanos, turn.toldNanos < 0 ? 0 : world.nanos() - turn.toldNanos);
            } else {
                mostHandOvers = Math.max(mostHandOvers, ++turn.handOvers);
                longestTurnNanos = Math.max(longestTurnNanos, turnNanos);
            }
        }
    }

    /** A script call was answered, in time. */
    void answered(Request request, Reply reply) {
        switch (name(request)) {
            case "acquire", "propose", "read-propose", "queue-join" -> {
                failing.remove(request.key(1));
                seesHeld(request, 1);
                if (reply.integer(0) == 0) {
                    refused.put(request.key(1), world.nanos());
                } else {
                    confirm(request.field());
                    Turn turn = turns.computeIfAbsent(request.key(1), first -> new Turn());
                    turn.sinceNanos = world.nanos();
                    turn.handOvers = 0;
                    turn.toldNanos = -1;
                }
            }
            case "transfer" -> {
                confirm(request.argument(2));
                seesHeld(request, 1);
                Turn turn = turns.computeIfAbsent(request.key(1), first -> new Turn());
                if (turn.toldNanos < 0 && reply.size() > 3 && reply.integer(3) > 0) {
                    turn.toldNanos = world.nanos();
                }
            }
            case "reenter" -> {
                if (reply.integer() == 1) {
                    seesHeld(request, 1);
                    confirm(request.argument(1));
                } else if (!request.overdue) {
                    gone.put(request.key(1) + owner(request.argument(1)), world.nanos());
                }
            }
            case "renew" -> {
                for (int i = 0; i < reply.size(); i++) {
                    confirm(request.argument(2 * i + 1));
                    if (reply.integer(i) == 1) {
                        seesHeld(request, i + 1);
                    }
                }
            }
            default -> {}
        }
    }

    /** A script call met an error that time does not heal. */
    void refusedForGood(Request request) {
        if (request.isAcquisition()) {
            hopeless.computeIfAbsent(request.key(1), first -> new ArrayList<>()).add(request.askedNanos);
        }
    }

    /** A script call has failed. */
    void failed(Request request) {
        if (request.isAcquisition()) {
            failing.putIfAbsent(request.key(1), world.nanos());
        }
    }

    private void seesHeld(Request request, int key) {
        held.merge(request.key(key), request.askedNanos, Math::max);
        heardHeld.put(request.key(key), world.nanos());
    }

    private void confirm(LuaString field) {
        confirmed.put(owner(field), world.nanos());
    }

    private static String owner(LuaString field) {
        String text = field.tojstring();
        return text.substring(0, text.lastIndexOf(':'));
    }

    private static String name(Request request) {
        return request.script == null ? "" : Request.plainName(request.script);
    }

    // --- for those who judge ---

    /** Whether any server has said since a time that somebody else has a lock. */
    boolean wasRefusedSince(LuaString key, long nanos) {
        return refused.getOrDefault(key, -1L) >= nanos;
    }

    /** When the latest request was sent whose answer said that anybody holds a lock. */
    long seenHeldNanos(LuaString key) {
        return held.getOrDefault(key, Long.MIN_VALUE / 2);
    }

    /** Whether an answer has come since a time that says that anybody holds a lock. */
    boolean heardHeldSince(LuaString key, long nanos) {
        return heardHeld.getOrDefault(key, Long.MIN_VALUE) >= nanos;
    }

    /** Whether a server has said since a time, to a re-entry, that it does not know the owner's hold. */
    boolean wasGoneSince(LuaString key, String owner, long nanos) {
        return gone.getOrDefault(key + owner, -1L) >= nanos;
    }

    /** Whether a server has confirmed an owner's hold since a time. */
    boolean wasConfirmedSince(String owner, long nanos) {
        return confirmed.getOrDefault(owner, -1L) >= nanos;
    }

    /** Since when every request for a lock has failed; {@link Long#MAX_VALUE} if the last one was answered. */
    long failingSinceNanos(LuaString key) {
        return failing.getOrDefault(key, Long.MAX_VALUE);
    }

    /** How often a server has answered since a time that asking for this lock makes no sense. */
    long timesRefusedForGoodSince(LuaString key, long nanos) {
        return hopeless.getOrDefault(key, List.of()).stream()
                .filter(at -> at >= nanos)
                .count();
    }

    /** How often a lock was handed from one owner to the next, at most, since a server granted it. */
    int mostHandOvers() {
        return mostHandOvers;
    }

    /** How long after a server had granted the lock it was still handed from one owner to the next. */
    long longestTurnNanos() {
        return longestTurnNanos;
    }

    /** The same of a lock whose clients take turns. */
    long longestTakenNanos() {
        return longestTakenNanos;
    }

    /** How long after a server had told of other clients that want the lock it was still handed over. */
    long longestAmongOthersNanos() {
        return longestAmongOthersNanos;
    }

    /** How often a lock was asked for within the last second. */
    long timesAskedLately(LuaString key) {
        Deque<Long> times = asked.get(key);
        if (times == null) {
            return 0;
        }
        while (!times.isEmpty() && times.getFirst() < world.nanos() - SECOND) {
            times.removeFirst();
        }
        return times.size();
    }
}
