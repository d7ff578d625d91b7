package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script of an object with a queue at the store: what {@code line.lua} keeps in variables, and what it does for
 * all of them.
 */
abstract class Line {

    private static final int MOST_ADMITTED = 64;
    private static final int MOST_DROPPED = 500;
    /** How many may stand before a deputy: as many as the script looks at, in steps of 16. */
    private static final int MOST_LOOKED_AT = 512;

    /** How many of the last are looked at if none of those is one. */
    private static final int LAST_LOOKED_AT = 16;
    /** For how long the places of a client that is not present are passed over. */
    private static final long PASSED_FOR_MILLIS = 15_000;

    private static final long ASK_AGAIN = -2;
    private static final long NO_PLACE = -1;

    final Keyspace store;
    final long now;
    /** How many have heard what this run has published. */
    long receivers;
    /** Whether something has gone in this run of which all who wait are to hear. */
    boolean freed;

    final String queue;
    final String seen;

    /** Whether the queue has become shorter in this run. */
    private boolean shortened;
    /** Whether more may be admitted at once than this run has. */
    boolean more;

    /** Whether any stands there whose client is not passed over. */
    private boolean isAnyLeft;

    Line(Keyspace store, Words words) {
        this.store = store;
        this.queue = words.key(3);
        this.seen = words.key(4);
        this.now = millis(store);
    }

    /** What a call asks for, and how it waits. */
    record Request(String mode, String field, long lease, boolean waits, long window, long presence, String channel) {

        String member() {
            return mode + field;
        }
    }

    // --- what only the object knows whose queue it is ---

    /** Whether what is asked for may be let in now. */
    abstract boolean fits(String mode, String field);

    /** Whether it may be at all, when others have given back what they have. */
    abstract boolean canFit(String field);

    /** Whether letting it in would make this run a long one. */
    boolean isMuch(String field) {
        return false;
    }

    /** Lets in the one that asks; its token. */
    abstract double take(String mode, String field, long lease);

    /** Lets in another. */
    abstract void reserve(String mode, String field, long window);

    /** In how many ms the first of what is in the way is over; -1 if it has no end. */
    abstract long timeLeft();

    // --- what they share ---

    static long millis(Keyspace store) {
        return Math.floorDiv(store.timeMicros(), 1_000);
    }

    /** Until when a hold lasts that has a deadline of its own: an even number, where a reservation has an odd one. */
    static long heldUntil(long deadline) {
        return deadline + deadline % 2;
    }

    static long reservedUntil(long deadline) {
        return deadline + 1 - deadline % 2;
    }

    final boolean isReservation(@Nullable Long deadline, long window) {
        return deadline != null && deadline % 2 == 1 && deadline - now <= window + 1;
    }

    /** Makes a hold of a reservation, and tells those who were refused if something that is in their way ends before. */
    final void claim(String channel, long lease, long window, Runnable makeHold) {
        long before = timeLeft();
        makeHold.run();
        if (lease < window && timeLeft() < before) {
            store.publish(channel, LockScripts.RELEASED);
        }
    }

    static List<Object> granted(@Nullable Double token, boolean anew) {
        List<Object> answer = new ArrayList<>(LockScripts.granted(token));
        answer.add(anew ? 1L : 0L);
        return answer;
    }

    final long score(String key, String member) {
        return Objects.requireNonNull(store.zscore(key, member));
    }

    final void unqueue(String member) {
        shortened |= store.isSorted(queue) && store.zrem(queue, member);
    }

    /** The client of a call that waits stays present, and so does one that asks beside its waiting calls. */
    final void stays(Request request) {
        boolean known = request.waits || store.zscore(seen, client(request.field)) != null;
        if (known && store.exists(queue)) {
            store.pexpire(queue, request.presence);
            isPresent(request);
        }
    }

    private void isPresent(Request request) {
        isPresent(seen, request.field, request.presence);
    }

    /** The client of this field is in this set of those who are present. */
    final void isPresent(String set, String field, long presence) {
        store.zadd(set, now + presence, client(field));
        store.pexpire(set, presence);
    }

    /** Asks for what no field of the asker's has yet; a call that waits gets a place behind those that came before. */
    final List<Object> ask(Request request) {
        String mode = request.mode;
        String field = request.field;
        String member = request.member();
        String last = store.zlast(queue);
        if (last == null && fits(mode, field)) {
            return granted(take(mode, field, request.lease), request.waits);
        }
        boolean anew = request.waits && store.zscore(queue, member) == null;
        if (anew) {
            long place = last == null ? 1 : score(queue, last) + 1;
            isPresent(request);
            store.zadd(queue, place, member);
            store.pexpire(queue, request.presence);
        } else {
            stays(request);
        }

        Double token = admit(request.channel, request.window, member, request.lease);
        if (token == null && !request.waits && !isAnyLeft && fits(mode, field)) {
            token = take(mode, field, request.lease);
        }
        return token != null
                ? granted(token, anew)
                : List.of(0L, more ? ASK_AGAIN : timeLeft(), store.zrank(queue, member, NO_PLACE), anew ? 1L : 0L);
    }

    /** Admits from the front of the queue what fits, and no one past the first that does not. */
    final void admit(String channel, long window) {
        admit(channel, window, "", 0);
    }

    final @Nullable Double admit(String channel, long window, String asker, long lease) {
        List<String> told = new ArrayList<>();
        int passed = 0;
        int dropped = 0;
        boolean enough = false;
        Double token = null;
        String first = store.isSorted(queue) ? store.zfirst(queue) : null;
        while (first != null && told.size() < MOST_ADMITTED && dropped < MOST_DROPPED) {
            String mode = first.substring(0, 1);
            String field = first.substring(1);
            boolean fitting = fits(mode, field);
            if (!isAlive(field) && passed < MOST_DROPPED && presentUntil(field) + PASSED_FOR_MILLIS > now) {
                passed++;
            } else if (!isAlive(field)) {
                unqueue(first);
                dropped++;
            } else if (!fitting && canFit(field)) {
                break;
            } else if (fitting && isMuch(field)) {
                enough = true;
                break;
            } else {
                unqueue(first);
                if (fitting && first.equals(asker)) {
                    token = take(mode, field, lease);
                } else {
                    if (fitting) {
                        reserve(mode, field, window);
                        lowerPresence(client(field), now + window);
                    }
                    told.add(field);
                }
            }
            first = place(passed);
        }
        isAnyLeft = first != null;
        more = first != null && (enough || told.size() == MOST_ADMITTED || dropped == MOST_DROPPED);
        if (shortened && first == null && passed == 0 && store.isSorted(seen)) {
            store.del(seen);
        }
        if (!told.isEmpty()) {
            String message = String.join(" ", told) + ';' + deputy(told.get(told.size() - 1));
            receivers = store.publish(channel, message);
        } else if (more || (token == null && (freed || (dropped > 0 && first == null)))) {
            receivers = store.publish(channel, LockScripts.RELEASED);
        }
        return token;
    }

    private void lowerPresence(String client, long until) {
        Long before = store.zscore(seen, client);
        if (before != null && until < before) {
            store.zadd(seen, until, client);
        }
    }

    /** Which call looks if the last that was told does not come: the first left that is present, and of another client. */
    private String deputy(String told) {
        List<String> members = store.zrange(queue, MOST_LOOKED_AT);
        String found = deputy(told, members);
        if (found.isEmpty() && members.size() == MOST_LOOKED_AT) {
            List<String> all = store.zrange(queue, Integer.MAX_VALUE);
            return deputy(told, all.subList(all.size() - LAST_LOOKED_AT, all.size()));
        }
        return found;
    }

    private String deputy(String told, List<String> members) {
        return members.stream()
                .map(member -> member.substring(1))
                .filter(field -> !client(field).equals(client(told)) && isAlive(field))
                .findFirst()
                .orElse("");
    }

    /** The place behind so many; null if there is none. */
    private @Nullable String place(int before) {
        List<String> members = store.zrange(queue, before + 1);
        return members.size() > before ? members.get(before) : null;
    }

    private boolean isAlive(String field) {
        return presentUntil(field) > now;
    }

    private long presentUntil(String field) {
        Long until = store.isSorted(seen) ? store.zscore(seen, client(field)) : null;
        return until == null ? 0 : until;
    }

    static String client(String field) {
        int end = field.indexOf(':');
        return end < 0 ? field : field.substring(0, end);
    }
}
