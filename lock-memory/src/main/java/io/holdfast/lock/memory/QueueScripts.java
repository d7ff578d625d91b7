package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of locks whose waiters stand in a queue at the store, fair and read/write locks: each run of one is an object,
 * which has what {@code queue.lua} keeps in variables.
 */
class QueueScripts {

    private static final String READERS = "readers";
    static final String WRITING = "w";
    private static final int MOST_ADMITTED = 64;
    private static final int MOST_DROPPED = 500;
    /** How many may stand before a deputy: as many as the script looks at, in steps of 16. */
    private static final int MOST_LOOKED_AT = 512;

    private static final long ASK_AGAIN = -2;
    private static final long NO_PLACE = -1;

    final Keyspace store;
    final String lock;
    final String clock;
    private final String readers;
    final String queue;
    final String seen;
    final long now;

    /** Whether the last reader, or the writer, has gone in this run. */
    private boolean freed;
    /** Whether the queue has become shorter in this run. */
    private boolean shortened;
    /** Whether more may be admitted at once than this run has. */
    private boolean more;
    /** How many have heard what this run has published. */
    private long receivers;

    QueueScripts(Keyspace store, Words words) {
        this.store = store;
        this.lock = words.key(0);
        this.clock = words.key(1);
        this.readers = words.key(2);
        this.queue = words.key(3);
        this.seen = words.key(4);
        this.now = millis(store);
    }

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("queue-join", QueueScripts::join);
        bodies.put("queue-part", (store, words) -> new QueueScripts(store, words).part(words));
        bodies.put("queue-force", (store, words) -> new QueueScripts(store, words).force(words));
        bodies.put("keep", QueueScripts::keep);
    }

    // --- the scripts ---

    static Object join(Keyspace store, Words words) {
        return new QueueScripts(store, words).join(words);
    }

    private Object join(Words words) {
        String mode = words.arg(0);
        String field = words.arg(1);
        long lease = Numbers.integer(words.arg(2));
        String own = words.arg(3);
        boolean waits = words.argIs(4, "1");
        long presence = Numbers.integer(words.arg(6));
        boolean writes = mode.equals(WRITING);
        String member = mode + field;

        sweep();
        if (writes && store.hexists(lock, field)) {
            LockScripts.raise(store, lock, words.arg(2));
            keepPresent(field, waits, presence);
            return granted(LockScripts.tokenOf(store, lock, clock, null, false), false);
        }
        if (!writes && store.zscore(readers, field) != null) {
            long deadline = now + lease;
            store.pexpireat(readers, deadline);
            store.zadd(readers, Math.max(deadline, score(readers, field)), field);
            seal();
            keepPresent(field, waits, presence);
            admit(words.arg(7), Numbers.integer(words.arg(5)), "", 0);
            return granted(LockScripts.mint(store, clock, null, false), false);
        }
        if (!writes && !own.isEmpty() && store.hexists(lock, own)) {
            unqueue(member);
            return granted(admitted(mode, field, lease), false);
        }
        String last = store.zlast(queue);
        if (last == null && fits(mode)) {
            return granted(admitted(mode, field, lease), waits);
        }
        boolean anew = waits && store.zscore(queue, member) == null;
        if (anew) {
            long place = last == null ? 1 : score(queue, last) + 1;
            isPresent(seen, field, presence);
            store.zadd(queue, place, member);
            store.pexpire(queue, presence);
        } else {
            keepPresent(field, waits, presence);
        }

        Double token = admit(words.arg(7), Numbers.integer(words.arg(5)), member, lease);
        if (token == null && !waits && fits(mode) && !store.exists(queue)) {
            token = admitted(mode, field, lease);
        }
        return token != null
                ? granted(token, anew)
                : List.of(
                        0L, more ? ASK_AGAIN : store.pttl(lock), store.zrank(queue, member, NO_PLACE), anew ? 1L : 0L);
    }

    static List<Object> granted(@Nullable Double token, boolean anew) {
        List<Object> answer = new ArrayList<>(LockScripts.granted(token));
        answer.add(anew ? 1L : 0L);
        return answer;
    }

    final void unqueue(String member) {
        shortened |= store.zrem(queue, member);
    }

    private Object part(Words words) {
        String mode = words.arg(0);
        String field = words.arg(1);
        sweep();
        boolean held;
        if (mode.equals(WRITING)) {
            held = store.hexists(lock, field);
            if (held) {
                giveUp(field);
            }
        } else {
            held = store.zrem(readers, field);
            if (held && store.hexists(lock, READERS)) {
                seal();
            }
        }
        if (!held) {
            unqueue(mode + field);
        }
        admit(words.arg(3), Numbers.integer(words.arg(2)), "", 0);
        return held ? List.of(1L, receivers) : List.of(0L, 0L);
    }

    /** Removes the writer. */
    final void giveUp(String field) {
        store.hdel(lock, field);
        store.hdel(lock, LockScripts.TOKEN);
        freed = true;
        if (store.hexists(lock, READERS)) {
            seal();
        }
    }

    /** Whether more may be admitted at once than this run has. */
    final boolean hasMore() {
        return more;
    }

    /** How many have heard what this run has published. */
    final long receivers() {
        return receivers;
    }

    private Object force(Words words) {
        sweep();
        boolean held = false;
        if (words.argIs(0, WRITING)) {
            for (String field : store.hkeys(lock)) {
                if (!field.equals(READERS)) {
                    held = store.hdel(lock, field);
                    freed = true;
                }
            }
            if (held && store.hexists(lock, READERS)) {
                seal();
            }
        } else if (store.hexists(lock, READERS)) {
            held = store.del(readers);
            seal();
        }
        admit(words.arg(2), Numbers.integer(words.arg(1)), "", 0);
        return held ? 1L : 0L;
    }

    /** Keys of other types must not spoil the renewal of the others. */
    static Object keep(Keyspace store, Words words) {
        long now = millis(store);
        List<Object> answers = new ArrayList<>();
        for (int i = 0; i < words.keys.size(); i += 2) {
            String lock = words.key(i);
            String readers = words.key(i + 1);
            String field = words.arg(i);
            long deadline = now + Numbers.integer(words.arg(i + 1));
            boolean read = store.isHash(lock) && store.hexists(lock, READERS) && store.isSorted(readers);
            Long ends = read ? store.zscore(readers, field) : null;
            boolean kept = ends != null && ends > now;
            if (ends != null && kept && ends < deadline) {
                String longest = Objects.requireNonNull(store.zlast(readers));
                long last = Math.max(deadline, Objects.requireNonNull(store.zscore(readers, longest)));
                store.pexpireat(readers, last);
                store.zadd(readers, deadline, field);
                outlive(store, lock, now, last);
            }
            answers.add(kept ? 1L : 0L);
        }
        return answers;
    }

    // --- what they share ---

    private static long millis(Keyspace store) {
        return Math.floorDiv(store.timeMicros(), 1_000);
    }

    static String client(String field) {
        int end = field.indexOf(':');
        return end < 0 ? field : field.substring(0, end);
    }

    final long score(String key, String member) {
        return Objects.requireNonNull(store.zscore(key, member));
    }

    private boolean isAlive(String field) {
        Long until = store.zscore(seen, client(field));
        return until != null && until > now;
    }

    /** The client of a call that waits is present, and so is one that asks beside its waiting calls. */
    private void keepPresent(String field, boolean waits, long presence) {
        if ((waits || store.zscore(seen, client(field)) != null) && store.exists(queue)) {
            store.pexpire(queue, presence);
            isPresent(seen, field, presence);
        }
    }

    final void isPresent(String set, String field, long presence) {
        store.zadd(set, now + presence, client(field));
        store.pexpire(set, presence);
    }

    /** Drops readers whose time is over. A hash without the field was removed by force, and its readers with it. */
    final void sweep() {
        if (!store.hexists(lock, READERS)) {
            if (store.zlast(readers) != null) {
                store.del(readers);
            }
        } else if (store.zremrangebyscore(readers, now) > 0) {
            seal();
        }
    }

    /** Brings the lock in line with its readers: it lives as long as the last of them, and with a writer at least so long. */
    private void seal() {
        String longest = store.zlast(readers);
        if (longest == null) {
            freed |= store.hdel(lock, READERS);
            return;
        }
        long last = score(readers, longest);
        store.pexpireat(readers, last);
        store.hset(lock, READERS, "1");
        outlive(store, lock, now, last);
    }

    private static void outlive(Keyspace store, String lock, long now, long last) {
        if (!store.hexists(lock, LockScripts.TOKEN) || store.pttl(lock) < last - now) {
            store.pexpireat(lock, last);
        }
    }

    private boolean fits(String mode) {
        return !store.hexists(lock, LockScripts.TOKEN) && (!mode.equals(WRITING) || !store.hexists(lock, READERS));
    }

    /** Lets in who asks, which fits or, as a reader, writes. */
    private double admitted(String mode, String field, long lease) {
        double token = LockScripts.mint(store, clock, null, false);
        if (mode.equals(WRITING)) {
            LockScripts.enter(store, lock, field, token, true);
            store.pexpire(lock, lease);
        } else {
            read(field, lease);
        }
        return token;
    }

    /** Lets another field in, which fits; a reader gets its token when it claims. */
    private void reserve(String mode, String field, long window) {
        if (mode.equals(WRITING)) {
            admitted(mode, field, window);
        } else {
            read(field, window);
        }
    }

    private void read(String field, long lease) {
        store.zadd(readers, now + lease, field);
        seal();
    }

    /** Admits from the front of the queue what fits, and no one past the first that does not. */
    final @Nullable Double admit(String channel, long window, String asker, long lease) {
        List<String> told = new ArrayList<>();
        int dropped = 0;
        Double token = null;
        String first = store.zfirst(queue);
        while (first != null && told.size() < MOST_ADMITTED && dropped < MOST_DROPPED) {
            String mode = first.substring(0, 1);
            String field = first.substring(1);
            if (!isAlive(field)) {
                unqueue(first);
                dropped++;
            } else if (!fits(mode)) {
                break;
            } else {
                unqueue(first);
                if (first.equals(asker)) {
                    token = admitted(mode, field, lease);
                } else {
                    reserve(mode, field, window);
                    lowerPresence(client(field), now + window);
                    told.add(field);
                }
            }
            first = store.zfirst(queue);
        }
        more = first != null && (told.size() == MOST_ADMITTED || dropped == MOST_DROPPED);
        if (shortened && first == null && store.isSorted(seen)) {
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

    /** Who looks if the last that was told does not come: the first left that is present, and of another client. */
    private String deputy(String told) {
        for (String member : store.zrange(queue, MOST_LOOKED_AT)) {
            String field = member.substring(1);
            if (!client(field).equals(client(told)) && isAlive(field)) {
                return field;
            }
        }
        return "";
    }
}
