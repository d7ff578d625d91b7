package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.engine.kind.Queued;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * NLW, to the point: for how long what has a queue at its server may be free while a call stands there that could have it, by the
 * word of the server. A call counts while its client is <em>present</em>: it runs, has had the time to catch up after a pause,
 * hears messages, and its requests reach the server.
 *
 * <p>Each span of such time has an allowance, which grows with what really happens in it:
 *
 * <ul>
 *   <li>a message and a round trip, or what that takes at most where packets are late;
 *   <li>a claim window for each reservation of a client that is not present, of which each has two at most (rules 42, 46), and a poll
 *       if a second client is absent, for that may be the deputy, or if the deputy has left meanwhile;
 *   <li>a poll if the span began with a lease that was over, for that is told to none, and if messages were lost;
 *   <li>the presence and a poll while a call of an absent client is in the way that does not fit.
 * </ul>
 */
final class IdleChecker {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    /** Each of four packets may be late, and so may timers and tasks. */
    private static final long PROMPT_NANOS = 300 * MILLI;
    /** Clocks drift by half a percent. */
    private static final long WINDOW_NANOS = (Queued.CLAIM_WINDOW_MILLIS + 20) * MILLI;

    private static final long POLL_NANOS = 5_050 * MILLI;
    private static final long PRESENCE_NANOS = (Queued.PRESENCE_MILLIS + 200) * MILLI;
    private static final int MOST_WINDOWS = 2;

    private final World world;
    private final Complaints complaints;
    private final List<SimulatedClient> clients;
    private final Map<String, Span> spans = new HashMap<>();
    private final Map<String, Long> expiredNanos = new HashMap<>();
    private final LongSupplier calmFromNanos;
    private final LongSupplier messyUntilNanos;

    /** A time in which something is free that could be had. */
    private static final class Span {

        final long sinceNanos;
        long allowedNanos = PROMPT_NANOS;
        boolean mayBePolled;
        boolean isBlocked;
        /** When a reservation of an absent client was last there. */
        long absentNanos;

        /** How many windows each client has had, and when the last of them was over. */
        final Map<String, Integer> windows = new HashMap<>();

        final Map<String, Long> ranOutNanos = new HashMap<>();

        Span(long sinceNanos) {
            this.sinceNanos = sinceNanos;
            this.absentNanos = sinceNanos;
        }

        /** How long it may last, as far as is known now: a client that is back claims what is reserved for it at once. */
        long mostNanos(long now, boolean absent) {
            if (absent) {
                absentNanos = now;
                return allowedNanos + WINDOW_NANOS + PROMPT_NANOS;
            }
            return Math.max(allowedNanos, absentNanos - sinceNanos + PROMPT_NANOS);
        }

        /** Only a poll finds it. */
        void needsPoll() {
            if (!mayBePolled) {
                mayBePolled = true;
                allowedNanos += POLL_NANOS;
            }
        }
    }

    /**
     * @param calmFromNanos from when on requests of present clients reach the server, but for late packets
     * @param messyUntilNanos until when messages of any may have been lost
     */
    IdleChecker(
            World world,
            Complaints complaints,
            List<SimulatedClient> clients,
            LongSupplier calmFromNanos,
            LongSupplier messyUntilNanos) {
        this.world = world;
        this.complaints = complaints;
        this.clients = clients;
        this.calmFromNanos = calmFromNanos;
        this.messyUntilNanos = messyUntilNanos;
    }

    /** The lease of a lock was over before the step that finds that out: none tells of it, also where that step is a release. */
    void expired(String key) {
        expiredNanos.put(key, world.nanos());
    }

    /** What was reserved for a member has gone unclaimed. */
    void ranOut(String key, String member) {
        Span span = spans.get(key);
        if (span == null || isPresent(member)) {
            return;
        }
        String client = client(member);
        // What one step had reserved together runs out together.
        Long before = span.ranOutNanos.put(client, world.nanos());
        if (before != null && before == world.nanos()) {
            return;
        }
        int windows = span.windows.merge(client, 1, Integer::sum);
        if (windows > MOST_WINDOWS) {
            complaints.broken("NLW", key + ": " + client + " is not there, and has had " + windows + " windows");
        }
        span.allowedNanos += WINDOW_NANOS + PROMPT_NANOS;
    }

    /** A reservation was taken away before its time: what is free is so anew. */
    void freedByForce(String key) {
        spans.remove(key);
    }

    /**
     * A call has left its place.
     *
     * @param waiting the members that stood there until then, the first first
     */
    void left(String key, String member, Collection<String> waiting, Set<String> reserved) {
        Span span = spans.get(key);
        boolean absent = reserved.stream().anyMatch(each -> !isPresent(each) && wasDeputyOf(each, member, waiting));
        if (span != null && absent) {
            span.needsPoll();
        }
    }

    /** Whether the server has named it as the deputy of a reservation: the first of another client. */
    private static boolean wasDeputyOf(String reserved, String member, Collection<String> waiting) {
        return waiting.stream()
                .filter(each -> !client(each).equals(client(reserved)))
                .findFirst()
                .filter(member::equals)
                .isPresent();
    }

    /**
     * Looks at what is there now.
     *
     * @param reserved the members of what is there that were admitted and have not claimed it
     * @param queued the members that stand in the queue, the first first
     * @param told whether a request has just made room, if any was made
     */
    void look(String key, Keyspace data, Set<String> reserved, List<String> queued, boolean told) {
        // One that has run out has no place any more, though no script has found that yet.
        List<String> waiting = new ArrayList<>(reserved);
        waiting.removeIf(member -> !Places.isIn(data, key, member));
        waiting.addAll(queued);
        List<String> claimed = claimed(data, key, reserved);
        String first = firstPresent(waiting);
        if (first == null || !fits(first, claimed, data, key) || world.nanos() < calmFromNanos.getAsLong()) {
            spans.remove(key);
            return;
        }
        Span span = spans.get(key);
        if (span == null) {
            span = new Span(world.nanos());
            spans.put(key, span);
            if (!told || expiredNanos.getOrDefault(key, -1L) == world.nanos()) {
                span.needsPoll();
            }
        }
        List<String> gone =
                reserved.stream().filter(member -> !isPresent(member)).toList();
        boolean absent = !gone.isEmpty();
        if (absent && waiting.stream().anyMatch(member -> !isPresent(member) && !isOfOne(gone, member))) {
            span.needsPoll();
        }
        extend(key, span, first, waiting, claimed, data);
        long mostNanos = span.mostNanos(world.nanos(), absent);
        long free = world.nanos() - span.sinceNanos;
        if (free > mostNanos) {
            complaints.broken(
                    "NLW",
                    key + ": " + first + " could have it, which has been free for " + free / MILLI + " ms, of which "
                            + mostNanos / MILLI + " are allowed");
        }
    }

    private void extend(
            String key, Span span, String first, List<String> waiting, List<String> claimed, Keyspace data) {
        if (span.sinceNanos < messyUntilNanos.getAsLong() + WakeUpChecker.AFTERMATH_NANOS && !span.mayBePolled) {
            span.needsPoll();
            span.allowedNanos += WINDOW_NANOS;
        }
        boolean blocked = waiting.subList(0, waiting.indexOf(first)).stream()
                .anyMatch(member -> !isPresent(member) && !fits(member, claimed, data, key));
        if (blocked && !span.isBlocked) {
            span.isBlocked = true;
            span.needsPoll();
            span.allowedNanos += PRESENCE_NANOS;
        }
    }

    private static List<String> claimed(Keyspace data, String key, Set<String> reserved) {
        List<String> claimed = new ArrayList<>(Places.in(data, key));
        for (String member : reserved) {
            if (member.charAt(0) == 'p') {
                Places.fields(member).forEach(field -> claimed.remove("p" + field));
            } else {
                claimed.remove(member);
            }
        }
        return claimed;
    }

    private static boolean fits(String member, List<String> claimed, Keyspace data, String key) {
        return switch (member.charAt(0)) {
            case 'w' -> claimed.isEmpty();
            case 'r' -> claimed.stream().noneMatch(each -> each.charAt(0) == 'w');
            default -> {
                LuaString limit =
                        data.hget(LuaString.valueOf(key.replace(":permits", ":limit")), LuaString.valueOf("limit"));
                yield limit != null && claimed.size() + Places.size(member) <= limit.toint();
            }
        };
    }

    private @Nullable String firstPresent(List<String> waiting) {
        for (String member : waiting) {
            if (isPresent(member)) {
                return member;
            }
        }
        return null;
    }

    private boolean isPresent(String member) {
        SimulatedClient client = Places.client(clients, member.substring(1));
        return client != null
                && client.isInUse()
                && client.isRunning()
                && hasCaughtUp(client)
                && client.listeningSinceNanos() < world.nanos();
    }

    private boolean hasCaughtUp(SimulatedClient client) {
        return client.wokenNanos() < 0 || client.wokenNanos() + WakeUpChecker.AFTERMATH_NANOS < world.nanos();
    }

    private static boolean isOfOne(List<String> members, String member) {
        return members.stream().allMatch(each -> client(each).equals(client(member)));
    }

    private static String client(String member) {
        return member.substring(1, member.indexOf(':'));
    }
}
