package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The data of a store, with the commands that scripts use: strings, hashes, sets and sorted sets, and expiry by the store's own
 * clock. Named after the commands, which behave as those of a server.
 *
 * <p>Keys, fields and values are bytes, each as one character from 0 to 255. The store that this belongs to lets one thread
 * in at a time.
 */
final class Keyspace {

    static final long NO_KEY = -2;
    static final long NO_EXPIRY = -1;
    /** How often keys are dropped whose lease is over, and that no call asks for. */
    private static final int KEYS_PER_SWEEP = 1024;

    /** What a key stands for: a string, a set, a sorted set, or, where it is none of these, a hash. */
    private static final class Entry {

        private final Map<String, String> fields = new LinkedHashMap<>();
        private final long number;
        private @Nullable String text;
        private @Nullable Set<String> members;
        private @Nullable SortedSet ranking;
        private long expiresMillis = NO_EXPIRY;

        Entry(long number) {
            this.number = number;
        }

        boolean isHash() {
            return text == null && members == null && ranking == null;
        }
    }

    /**
     * A part of the keys.
     *
     * @param cursor where the next part begins; 0 if this was the last
     */
    record Page(long cursor, List<String> keys) {}

    /** In the order of their numbers. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private long made;
    /** Receivers of messages, by channel. */
    private final Map<String, List<Subscriber>> subscribers = new HashMap<>();

    private final LongSupplier timeMicros;
    private final String runId;

    /**
     * @param timeMicros the time of day, in microseconds since the epoch
     * @param runId what a server would say of its run: 40 hexadecimal digits
     */
    Keyspace(LongSupplier timeMicros, String runId) {
        this.timeMicros = timeMicros;
        this.runId = runId;
    }

    /** Hears of messages of a channel. */
    interface Subscriber {

        /** Whose connection it is: two of one connection count as one. */
        Object connection();

        void message(String text);
    }

    // --- keys ---

    private @Nullable Entry find(String key) {
        Entry entry = entries.get(key);
        if (entry != null && isOver(entry)) {
            entries.remove(key);
            return null;
        }
        return entry;
    }

    private Entry findOrMake(String key) {
        Entry entry = find(key);
        if (entry == null) {
            if (++made % KEYS_PER_SWEEP == 0) {
                entries.values().removeIf(this::isOver);
            }
            entry = new Entry(made);
            entries.put(key, entry);
        }
        return entry;
    }

    /** At the end of its lease; a server waits for the next millisecond, which a test would have to know. */
    private boolean isOver(Entry entry) {
        return entry.expiresMillis >= 0 && millis() >= entry.expiresMillis;
    }

    boolean exists(String key) {
        return find(key) != null;
    }

    boolean del(String key) {
        boolean there = exists(key);
        entries.remove(key);
        return there;
    }

    long pttl(String key) {
        Entry entry = find(key);
        if (entry == null) {
            return NO_KEY;
        }
        return entry.expiresMillis < 0 ? NO_EXPIRY : Math.max(0, entry.expiresMillis - millis());
    }

    void pexpire(String key, long leaseMillis) {
        Entry entry = find(key);
        if (entry == null) {
            return;
        }
        if (leaseMillis <= 0) {
            entries.remove(key);
        } else {
            entry.expiresMillis = millis() + leaseMillis;
        }
    }

    void pexpireat(String key, long atMillis) {
        pexpire(key, atMillis - millis());
    }

    void persist(String key) {
        Entry entry = find(key);
        if (entry != null) {
            entry.expiresMillis = NO_EXPIRY;
        }
    }

    /** The keys that are there and match, oldest first. */
    List<String> keys(Predicate<String> wanted) {
        return List.copyOf(entries.keySet()).stream()
                .filter(key -> exists(key) && wanted.test(key))
                .toList();
    }

    /** Looks at so many keys, from a cursor on; a key that is there all the while is in one of the pages. */
    Page scan(long cursor, long most, Predicate<String> wanted) {
        List<String> found = new ArrayList<>();
        long looked = 0;
        for (String key : List.copyOf(entries.keySet())) {
            Entry entry = find(key);
            if (entry == null || entry.number < cursor) {
                continue;
            }
            if (looked++ == most) {
                return new Page(entry.number, found);
            }
            if (wanted.test(key)) {
                found.add(key);
            }
        }
        return new Page(0, found);
    }

    boolean isHash(String key) {
        Entry entry = find(key);
        return entry != null && entry.isHash();
    }

    /** What kind of value the key has. */
    String type(String key) {
        Entry entry = find(key);
        if (entry == null) {
            return "none";
        }
        return entry.isHash() ? "hash" : entry.text != null ? "string" : entry.members != null ? "set" : "zset";
    }

    // --- strings ---

    @Nullable
    String get(String key) {
        Entry entry = find(key);
        if (entry != null && entry.text == null) {
            throw Refusal.wrongType(key, type(key));
        }
        return entry == null ? null : entry.text;
    }

    void set(String key, String value) {
        Entry entry = findOrMake(key);
        entry.fields.clear();
        entry.members = null;
        entry.ranking = null;
        entry.text = value;
        entry.expiresMillis = NO_EXPIRY;
    }

    // --- hashes ---

    private Map<String, String> hash(String key) {
        Entry entry = find(key);
        if (entry != null && !entry.isHash()) {
            throw Refusal.wrongType(key, type(key));
        }
        return entry == null ? Map.of() : entry.fields;
    }

    boolean hexists(String key, String field) {
        return hash(key).containsKey(field);
    }

    @Nullable
    String hget(String key, String field) {
        return hash(key).get(field);
    }

    void hset(String key, String field, String value) {
        hash(key);
        findOrMake(key).fields.put(field, value);
    }

    boolean hdel(String key, String field) {
        Map<String, String> fields = hash(key);
        if (!fields.containsKey(field)) {
            return false;
        }
        fields.remove(field);
        if (fields.isEmpty()) {
            entries.remove(key);
        }
        return true;
    }

    int hlen(String key) {
        return hash(key).size();
    }

    List<String> hkeys(String key) {
        return new ArrayList<>(hash(key).keySet());
    }

    int hstrlen(String key, String field) {
        String value = hget(key, field);
        return value == null ? 0 : value.length();
    }

    // --- sets ---

    /** Tells whether the member is new. */
    boolean sadd(String key, String member) {
        members(key);
        Entry entry = findOrMake(key);
        if (entry.members == null) {
            entry.members = new LinkedHashSet<>();
        }
        return entry.members.add(member);
    }

    int scard(String key) {
        return members(key).size();
    }

    Set<String> smembers(String key) {
        return Set.copyOf(members(key));
    }

    private Set<String> members(String key) {
        Entry entry = find(key);
        if (entry != null && entry.members == null) {
            throw Refusal.wrongType(key, type(key));
        }
        return entry == null || entry.members == null ? Set.of() : entry.members;
    }

    // --- sorted sets ---

    private @Nullable SortedSet ranking(String key) {
        Entry entry = find(key);
        if (entry != null && entry.ranking == null) {
            throw Refusal.wrongType(key, type(key));
        }
        return entry == null ? null : entry.ranking;
    }

    boolean isSorted(String key) {
        Entry entry = find(key);
        return entry != null && entry.ranking != null;
    }

    @Nullable
    Long zscore(String key, String member) {
        SortedSet members = ranking(key);
        return members == null ? null : members.score(member);
    }

    void zadd(String key, long score, String member) {
        SortedSet members = ranking(key);
        if (members == null) {
            members = new SortedSet();
            findOrMake(key).ranking = members;
        }
        members.put(score, member);
    }

    boolean zrem(String key, String member) {
        SortedSet members = ranking(key);
        boolean removed = members != null && members.remove(member);
        removeIfEmpty(key, members);
        return removed;
    }

    /** Removes members from the lowest score up to this one. */
    int zremrangebyscore(String key, long most) {
        SortedSet members = ranking(key);
        int removed = members == null ? 0 : members.removeUpTo(most);
        removeIfEmpty(key, members);
        return removed;
    }

    private void removeIfEmpty(String key, @Nullable SortedSet members) {
        if (members != null && members.isEmpty()) {
            entries.remove(key);
        }
    }

    /** The place of a member, from 0. */
    long zrank(String key, String member, long ifNone) {
        SortedSet members = ranking(key);
        return members == null || members.score(member) == null ? ifNone : members.rank(member);
    }

    /** How many members it has. */
    int zcard(String key) {
        SortedSet members = ranking(key);
        return members == null ? 0 : members.size();
    }

    /** The first members, as many as wanted. */
    List<String> zrange(String key, int most) {
        SortedSet members = ranking(key);
        return members == null ? List.of() : members.first(most);
    }

    @Nullable
    String zfirst(String key) {
        List<String> first = zrange(key, 1);
        return first.isEmpty() ? null : first.get(0);
    }

    @Nullable
    String zlast(String key) {
        SortedSet members = ranking(key);
        return members == null ? null : members.last();
    }

    // --- messages ---

    void subscribe(String channel, Subscriber subscriber) {
        subscribers.computeIfAbsent(channel, first -> new ArrayList<>()).add(subscriber);
    }

    void unsubscribe(String channel, Subscriber subscriber) {
        List<Subscriber> present = subscribers.get(channel);
        if (present != null && present.remove(subscriber) && present.isEmpty()) {
            subscribers.remove(channel);
        }
    }

    /** A connection ends. */
    void unsubscribeAll(Object connection) {
        subscribers.values().forEach(each -> each.removeIf(subscriber -> subscriber.connection() == connection));
        subscribers.values().removeIf(List::isEmpty);
    }

    /** Tells how many connections hear it. */
    long publish(String channel, String text) {
        List<Subscriber> present = List.copyOf(subscribers.getOrDefault(channel, List.of()));
        present.forEach(each -> each.message(text));
        return connections(present);
    }

    /** How many connections listen. */
    long numsub(String channel) {
        return connections(subscribers.getOrDefault(channel, List.of()));
    }

    private static long connections(List<Subscriber> present) {
        return present.stream().map(Subscriber::connection).distinct().count();
    }

    /** To how many channels any connection listens. */
    int channels() {
        return subscribers.size();
    }

    // --- the store itself ---

    /** The time of day. */
    long timeMicros() {
        return timeMicros.getAsLong();
    }

    private long millis() {
        return Math.floorDiv(timeMicros(), 1_000);
    }

    String runId() {
        return runId;
    }
}
