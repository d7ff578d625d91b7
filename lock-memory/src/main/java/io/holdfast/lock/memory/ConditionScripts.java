package io.holdfast.lock.memory;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scripts of conditions of fair locks; what {@code cond.lua} has beside {@code queue.lua} is here beside the other. */
final class ConditionScripts extends QueueScripts {

    private static final int MOST_MOVED = 500;
    private static final long NO_LEASE = -1;
    private static final long NO_KEY = -2;

    private final String condition;
    private final String present;

    private ConditionScripts(Keyspace store, Words words) {
        super(store, words);
        this.condition = words.key(5);
        this.present = words.key(6);
    }

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("cond-await", ConditionScripts::await);
        bodies.put("cond-signal", (store, words) -> new ConditionScripts(store, words).signal(words));
        bodies.put("cond-part", (store, words) -> new ConditionScripts(store, words).leave(words));
    }

    static Object await(Keyspace store, Words words) {
        return new ConditionScripts(store, words).awaited(words);
    }

    private Object awaited(Words words) {
        String field = words.arg(0);
        String given = words.arg(2);
        String count = words.arg(3);
        boolean leaves = words.argIs(4, "1");
        long window = Numbers.integer(words.arg(5));
        long presence = Numbers.integer(words.arg(6));
        String member = WRITING + field;

        boolean awaits = store.zscore(condition, member) != null;
        boolean left = store.zscore(present, field) != null && leaves;
        boolean queued = store.zscore(queue, member) != null;
        boolean isSeen = store.zscore(seen, client(field)) != null;
        boolean isKnown = queued || isSeen;
        boolean claimed = store.hexists(lock, field);
        sweep();
        boolean gives = store.hexists(lock, given);
        store.pexpire(present, presence);

        if (claimed) {
            claimWrite(field, Numbers.integer(words.arg(1)), window, words.arg(7));
            stays(field, isKnown, presence);
            return granted(field, count, LockScripts.tokenOf(store, lock, clock, null, false), false, left);
        }
        if (gives) {
            giveUp(given);
        }
        boolean anew = false;
        if (leaves && (gives || awaits)) {
            store.zrem(condition, member);
            enqueue(member, field, presence);
            store.zadd(present, now + presence, field);
            store.pexpire(present, presence);
            awaits = false;
            left = true;
        } else if (gives) {
            String last = store.zlast(condition);
            store.zremrangebyscore(present, now);
            store.zadd(condition, last == null ? 1 : score(condition, last) + 1, member);
            awaits = true;
        } else if (!awaits && !queued) {
            anew = true;
            enqueue(member, field, presence);
        }
        stays(field, isKnown, presence);

        Double token = admit(words.arg(7), window, awaits ? "" : member, Numbers.integer(words.arg(1)));
        if (token != null) {
            return granted(field, count, token, anew, left);
        }
        long live = more ? NO_KEY : store.pttl(lock);
        long place = store.zrank(queue, member, -1);
        if (awaits) {
            live = !more && live == NO_KEY ? NO_LEASE : live;
            place = store.zcard(queue) + store.zrank(condition, member, 0);
        }
        return List.of(0L, live, place, anew ? 1L : 0L, left ? 1L : 0L);
    }

    private Object granted(String field, String count, @Nullable Double token, boolean anew, boolean left) {
        if (!count.equals("1")) {
            store.hset(lock, field, count);
        }
        List<Object> answer = granted(token, anew);
        answer.add(left ? 1L : 0L);
        return answer;
    }

    private void enqueue(String member, String field, long presence) {
        String last = store.zlast(queue);
        isPresent(seen, field, presence);
        store.zadd(queue, last == null ? 1 : score(queue, last) + 1, member);
        store.pexpire(queue, presence);
    }

    private void stays(String field, boolean isKnown, long presence) {
        if (store.exists(condition)) {
            store.pexpire(condition, presence);
            isPresent(present, field, presence);
        }
        if (isKnown && store.exists(queue)) {
            store.pexpire(queue, presence);
            isPresent(seen, field, presence);
        }
    }

    private Object signal(Words words) {
        String id = words.arg(1);
        boolean all = words.argIs(2, "1");
        long presence = Numbers.integer(words.arg(3));
        if (!store.hexists(lock, words.arg(0))) {
            return List.of(0L, 0L);
        }
        if (store.zscore(present, id) != null) {
            return List.of(1L, 0L);
        }
        String lastInQueue = store.zlast(queue);
        long last = lastInQueue == null ? 0 : score(queue, lastInQueue);
        store.zscore(seen, id);
        long moved = 0;
        for (String member : store.zrange(condition, MOST_MOVED)) {
            if (moved > 0 && !all) {
                break;
            }
            moved += move(member, last + moved + 1) ? 1 : 0;
        }
        if (moved > 0) {
            store.pexpire(queue, presence);
            store.pexpire(seen, presence);
        }
        if (store.exists(condition)) {
            if (all || moved == 0) {
                return List.of(2L, moved);
            }
            store.zremrangebyscore(present, now);
            store.zadd(present, now + presence, id);
            store.pexpire(present, presence);
        }
        return List.of(1L, moved);
    }

    /** Moves a call into the lock's queue if its client is present; else it is dropped. */
    private boolean move(String member, long place) {
        String owner = client(member.substring(1));
        store.zrem(condition, member);
        Long until = store.zscore(present, owner);
        if (until == null || until <= now) {
            return false;
        }
        store.zadd(queue, place, member);
        Long before = store.zscore(seen, owner);
        store.zadd(seen, before == null ? until : Math.max(before, until), owner);
        return true;
    }

    private Object leave(Words words) {
        String field = words.arg(0);
        sweep();
        boolean held = store.hexists(lock, field);
        if (store.isSorted(condition)) {
            store.zrem(condition, WRITING + field);
        }
        if (held) {
            giveUp(field);
        } else {
            unqueue(WRITING + field);
        }
        admit(words.arg(2), Numbers.integer(words.arg(1)), "", 0);
        return held ? List.of(1L, receivers) : List.of(0L, 0L);
    }
}
