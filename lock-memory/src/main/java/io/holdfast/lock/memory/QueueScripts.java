package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The scripts of locks whose waiters stand in a queue at the store, fair and read/write locks, and of readers over several
 * stores: each run of one is an object, which has what {@code queue.lua} keeps in variables.
 */
class QueueScripts extends Line {

    static final String READERS = "readers";
    static final String WRITING = "w";
    /** The count of a writer that the lock is reserved for. */
    private static final String RESERVED = "0";

    private static final int MOST_LOOKED_AT = 5_000;

    final String lock;
    final String clock;
    private final String readers;

    QueueScripts(Keyspace store, Words words) {
        super(store, words);
        this.lock = words.key(0);
        this.clock = words.key(1);
        this.readers = words.key(2);
    }

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("queue-join", QueueScripts::join);
        bodies.put("queue-part", (store, words) -> new QueueScripts(store, words).part(words));
        bodies.put("queue-force", (store, words) -> new QueueScripts(store, words).force(words));
        bodies.put("keep", QueueScripts::keep);
        bodies.put("sweep", QueueScripts::sweepPlaces);
    }

    // --- the scripts ---

    private static Object sweepPlaces(Keyspace store, Words words) {
        String queue = words.key(0);
        Pattern ofClient = Pattern.compile("." + Pattern.quote(words.arg(0)) + ".*:(\\d+)(?:\\*\\d+)?", Pattern.DOTALL);
        long oldest = Numbers.integer(words.arg(1));
        long left = 0;
        for (String member : store.zrange(queue, MOST_LOOKED_AT)) {
            Matcher field = ofClient.matcher(member);
            if (field.matches() && Long.parseLong(field.group(1)) < oldest) {
                store.zrem(queue, member);
                left++;
            }
        }
        return left;
    }

    static Object join(Keyspace store, Words words) {
        return new QueueScripts(store, words).join(words);
    }

    private Object join(Words words) {
        String mode = words.arg(0);
        String field = words.arg(1);
        long lease = Numbers.integer(words.arg(2));
        String own = words.arg(3);
        boolean writes = mode.equals(WRITING);
        Request request = new Request(
                mode,
                field,
                lease,
                words.argIs(4, "1"),
                Numbers.integer(words.arg(5)),
                Numbers.integer(words.arg(6)),
                words.arg(7));

        sweep();
        if (writes && store.hexists(lock, field)) {
            claimWrite(field, lease, request.window(), request.channel());
            stays(request);
            return granted(LockScripts.tokenOf(store, lock, clock, null, false), false);
        }
        Long readsUntil = writes ? null : store.zscore(readers, field);
        if (readsUntil != null) {
            if (isReservation(readsUntil, request.window())) {
                claim(request.channel(), lease, request.window(), () -> setDeadline(field, heldUntil(now + lease)));
            } else {
                lengthen(field, lease);
            }
            stays(request);
            admit(request.channel(), request.window());
            return granted(LockScripts.mint(store, clock, null, false), false);
        }
        if (!writes && !own.isEmpty() && store.hexists(lock, own)) {
            unqueue(request.member());
            return granted(take(mode, field, lease), false);
        }
        return ask(request);
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
        admit(words.arg(3), Numbers.integer(words.arg(2)));
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
        admit(words.arg(2), Numbers.integer(words.arg(1)));
        return held ? 1L : 0L;
    }

    static Object readPropose(Keyspace store, Words words) {
        return new QueueScripts(store, words).readPropose(words);
    }

    private Object readPropose(Words words) {
        String field = words.arg(0);
        long lease = Numbers.integer(words.arg(1));
        double proposal = Numbers.required(words.arg(3));
        double ahead = Numbers.required(words.arg(4));
        long micros = store.timeMicros();
        sweep();
        if (reads(field)) {
            lengthen(field, lease);
            String seenLast = store.get(clock);
            Double token = Numbers.of(seenLast == null ? Long.toString(micros) : seenLast);
            return token == null ? List.of(1L) : List.of(1L, token.longValue(), micros);
        }
        if (store.hexists(lock, words.arg(2)) || fits("r", field)) {
            double token = QuorumScripts.accept(store, clock, proposal, ahead, micros);
            read(field, lease);
            return List.of(1L, (long) token, micros);
        }
        String holder = "";
        for (String name : store.hkeys(lock)) {
            holder = name.equals(LockScripts.TOKEN) || name.equals(READERS) ? holder : name;
        }
        return new ArrayList<>(List.of(0L, store.pttl(lock), micros, holder));
    }

    static Object readJoin(Keyspace store, Words words) {
        return new QueueScripts(store, words).readJoin(words);
    }

    private Object readJoin(Words words) {
        String field = words.arg(0);
        long lease = Numbers.integer(words.arg(1));
        sweep();
        if (reads(field)) {
            lengthen(field, lease);
        } else if (fits("r", field)) {
            read(field, lease);
        } else {
            return List.of(0L, store.pttl(lock));
        }
        QuorumScripts.follow(store, clock, Numbers.required(words.arg(2)));
        return List.of(1L, 0L);
    }

    /** Keys of other types must not spoil the renewal of the others. */
    static Object keep(Keyspace store, Words words) {
        long now = millis(store);
        List<Object> answers = new ArrayList<>();
        for (int i = 0; i < words.keys.size(); i += 2) {
            String lock = words.key(i);
            String readers = words.key(i + 1);
            String field = words.arg(i);
            long deadline = heldUntil(now + Numbers.integer(words.arg(i + 1)));
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

    /** Drops readers whose time is over. A hash without the field was removed by force, and its readers with it. */
    final void sweep() {
        if (!store.hexists(lock, READERS)) {
            if (store.zlast(readers) != null) {
                store.del(readers);
            }
        } else if (store.zlast(readers) == null || store.zremrangebyscore(readers, now) > 0) {
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
        if (!store.hexists(lock, LockScripts.TOKEN)) {
            store.pexpireat(lock, last);
        } else if (store.pttl(lock) < last - now) {
            store.pexpire(lock, last - now);
        }
    }

    @Override
    boolean fits(String mode, String field) {
        return !store.hexists(lock, LockScripts.TOKEN) && (!mode.equals(WRITING) || !store.hexists(lock, READERS));
    }

    @Override
    boolean canFit(String field) {
        return true;
    }

    @Override
    long timeLeft() {
        String first =
                store.hexists(lock, LockScripts.TOKEN) || !store.hexists(lock, READERS) ? null : store.zfirst(readers);
        return first == null ? store.pttl(lock) : score(readers, first) - now;
    }

    /** Lets in the one that asks, which fits or, as a reader, writes. */
    @Override
    double take(String mode, String field, long lease) {
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
    @Override
    void reserve(String mode, String field, long window) {
        if (mode.equals(WRITING)) {
            take(mode, field, window);
            store.hset(lock, field, RESERVED);
        } else {
            store.zadd(readers, reservedUntil(now + window), field);
            seal();
        }
    }

    private boolean reads(String field) {
        return store.hexists(lock, READERS) && store.zscore(readers, field) != null;
    }

    /** Raises the deadline of a reader; never lowers it. */
    private void lengthen(String field, long lease) {
        setDeadline(field, Math.max(heldUntil(now + lease), score(readers, field)));
    }

    private void setDeadline(String field, long deadline) {
        store.zadd(readers, deadline, field);
        seal();
    }

    /** Turns what was reserved for a writer into its hold, or raises the lease of a hold that it has. */
    final void claimWrite(String field, long lease, long window, String channel) {
        if (!RESERVED.equals(store.hget(lock, field))) {
            LockScripts.raise(store, lock, Long.toString(lease));
            return;
        }
        claim(channel, lease, window, () -> {
            store.pexpire(lock, lease);
            store.hset(lock, field, "1");
        });
    }

    private void read(String field, long lease) {
        store.zadd(readers, heldUntil(now + lease), field);
        seal();
    }
}
