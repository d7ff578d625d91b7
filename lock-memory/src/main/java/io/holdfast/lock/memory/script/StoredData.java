package io.holdfast.lock.memory.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * The data of a server, with the commands that scripts use: strings, hashes, sets and sorted sets, and expiry by the server's
 * own clock. Methods are named after the commands, and behave as those of a server do. One thread at a time may use it.
 *
 * <p>A subclass hears of what comes and goes, and may refuse to write.
 */
public class StoredData {

    public static final long NO_EXPIRY = -1;
    public static final long NO_KEY = -2;
    /** How often keys are dropped whose lease is over, and that no call asks for. */
    private static final int KEYS_PER_SWEEP = 1024;

    /** What a key stands for: a string, a set, a sorted set, or, where it is none of these, a hash. */
    public static final class Value {

        private final Map<LuaString, LuaString> fields = new LinkedHashMap<>();
        private @Nullable LuaString text;
        private @Nullable Set<LuaString> members;
        private @Nullable Ranking ranking;
        private long expiresMillis = NO_EXPIRY;
        private long number;

        private Value() {}

        public Value copy() {
            Value copy = new Value();
            copy.fields.putAll(fields);
            copy.text = text;
            copy.members = members == null ? null : new LinkedHashSet<>(members);
            copy.ranking = ranking == null ? null : ranking.copy();
            copy.expiresMillis = expiresMillis;
            return copy;
        }

        /** With a time to live of so many ms more or less, by the clock of another server. */
        public Value copyBehind(long millis) {
            Value copy = copy();
            copy.expiresMillis += copy.expiresMillis < 0 ? 0 : millis;
            return copy;
        }

        /** The fields of a hash. */
        public Set<LuaString> fields() {
            return fields.keySet();
        }

        private String type() {
            return text != null ? "string" : members != null ? "set" : ranking != null ? "zset" : "hash";
        }
    }

    /**
     * A part of the keys.
     *
     * @param cursor where the next part begins; 0 if this was the last
     */
    record Page(long cursor, List<LuaString> keys) {}

    /** In the order of their numbers; some may be over. */
    private final Map<LuaString, Value> values = new LinkedHashMap<>();

    private final LongSupplier timeMicros;
    private final boolean endsExactly;
    private long made;

    /** @param timeMicros the time of day, in microseconds since the epoch */
    public StoredData(LongSupplier timeMicros) {
        this(timeMicros, false);
    }

    /**
     * @param endsExactly whether a key is gone as soon as its time to live is over; a server waits for the next millisecond, which
     *     a test would have to know
     */
    public StoredData(LongSupplier timeMicros, boolean endsExactly) {
        this.timeMicros = timeMicros;
        this.endsExactly = endsExactly;
    }

    // --- what a subclass hears ---

    /**
     * A command is about to write.
     *
     * @param mayGrow whether it may need memory
     */
    protected void beforeWrite(boolean mayGrow) {}

    /** A field of a hash or a member of a sorted set is new. */
    protected void added(LuaString key, LuaString member) {}

    /** A field or a member is gone. */
    protected void removed(LuaString key, LuaString member, boolean isExpired) {}

    /** A key was changed, or is gone. */
    protected void changed(LuaString key) {}

    // --- keys ---

    private @Nullable Value find(LuaString key) {
        Value value = values.get(key);
        if (value != null && isOver(value)) {
            drop(key, true);
            return null;
        }
        return value;
    }

    private boolean isOver(Value value) {
        long since = value.expiresMillis < 0 ? -1 : millis() - value.expiresMillis;
        return since > 0 || (endsExactly && since == 0);
    }

    private Value findOrMake(LuaString key) {
        Value value = find(key);
        if (value == null) {
            value = new Value();
            put(key, value);
        }
        return value;
    }

    /** A key has this value from now on, as if it were new. */
    protected final void put(LuaString key, Value value) {
        if (++made % KEYS_PER_SWEEP == 0) {
            keys().forEach(this::find);
        }
        value.number = made;
        values.remove(key);
        values.put(key, value);
    }

    /** The value of a key, though it may be over. */
    protected final @Nullable Value value(LuaString key) {
        return values.get(key);
    }

    /** Takes a key away, and tells nothing. */
    protected final void discard(LuaString key) {
        values.remove(key);
    }

    protected final void drop(LuaString key, boolean isExpired) {
        Value gone = values.remove(key);
        if (gone == null) {
            return;
        }
        gone.fields.keySet().forEach(field -> removed(key, field, isExpired));
        if (gone.ranking != null) {
            gone.ranking.members(0, gone.ranking.size() - 1).forEach(member -> removed(key, member, isExpired));
        }
        changed(key);
    }

    private void dropIfEmpty(LuaString key, boolean isEmpty) {
        if (isEmpty) {
            values.remove(key);
        }
        changed(key);
    }

    /** The keys, oldest first, of which some may be over. */
    public final List<LuaString> keys() {
        return List.copyOf(values.keySet());
    }

    public final boolean exists(LuaString key) {
        return find(key) != null;
    }

    public final boolean del(LuaString key) {
        beforeWrite(false);
        boolean isThere = exists(key);
        drop(key, false);
        return isThere;
    }

    public final long pttl(LuaString key) {
        Value value = find(key);
        if (value == null) {
            return NO_KEY;
        }
        return value.expiresMillis < 0 ? NO_EXPIRY : Math.max(0, value.expiresMillis - millis());
    }

    public final boolean pexpire(LuaString key, long leaseMillis) {
        return pexpireat(key, millis() + leaseMillis);
    }

    final boolean pexpireat(LuaString key, long atMillis) {
        beforeWrite(false);
        Value value = find(key);
        if (value == null) {
            return false;
        }
        if (atMillis <= millis()) {
            drop(key, true);
        } else {
            value.expiresMillis = atMillis;
            changed(key);
        }
        return true;
    }

    public final boolean persist(LuaString key) {
        beforeWrite(false);
        Value value = find(key);
        if (value == null || value.expiresMillis < 0) {
            return false;
        }
        value.expiresMillis = NO_EXPIRY;
        changed(key);
        return true;
    }

    public final String type(LuaString key) {
        Value value = find(key);
        return value == null ? "none" : value.type();
    }

    /** Looks at so many keys, from a cursor on; a key that is there all the while is in one of the pages. */
    final Page scan(long cursor, long most, Predicate<LuaString> wanted) {
        List<LuaString> found = new ArrayList<>();
        long looked = 0;
        for (LuaString key : keys()) {
            Value value = find(key);
            if (value == null || value.number < cursor) {
                continue;
            }
            if (looked++ == most) {
                return new Page(value.number, found);
            }
            if (wanted.test(key)) {
                found.add(key);
            }
        }
        return new Page(0, found);
    }

    /** The value of a key if it is there and of this type. */
    private @Nullable Value find(LuaString key, String type) {
        Value value = find(key);
        if (value != null && !value.type().equals(type)) {
            throw ScriptRefusal.wrongType();
        }
        return value;
    }

    // --- strings ---

    public final @Nullable LuaString get(LuaString key) {
        Value value = find(key, "string");
        return value == null ? null : value.text;
    }

    public final void set(LuaString key, LuaString text) {
        beforeWrite(true);
        if (exists(key) && !type(key).equals("string")) {
            drop(key, false);
        }
        Value value = findOrMake(key);
        value.text = text;
        value.expiresMillis = NO_EXPIRY;
        changed(key);
    }

    /** Answers with what was there before. */
    final @Nullable LuaString getset(LuaString key, LuaString text) {
        beforeWrite(true);
        LuaString before = get(key);
        set(key, text);
        return before;
    }

    /** Tells whether the key was not there. A full server refuses it in either case. */
    final boolean setIfAbsent(LuaString key, LuaString text) {
        beforeWrite(true);
        if (exists(key)) {
            return false;
        }
        set(key, text);
        return true;
    }

    // --- hashes ---

    private Map<LuaString, LuaString> hash(LuaString key) {
        Value value = find(key, "hash");
        return value == null ? Map.of() : value.fields;
    }

    public final boolean hexists(LuaString key, LuaString field) {
        return hash(key).containsKey(field);
    }

    public final @Nullable LuaString hget(LuaString key, LuaString field) {
        return hash(key).get(field);
    }

    /** Tells whether the field is new. */
    public final boolean hset(LuaString key, LuaString field, LuaString text) {
        beforeWrite(true);
        hash(key);
        boolean isNew = findOrMake(key).fields.put(field, text) == null;
        if (isNew) {
            added(key, field);
        }
        changed(key);
        return isNew;
    }

    public final boolean hdel(LuaString key, LuaString field) {
        beforeWrite(false);
        Map<LuaString, LuaString> fields = hash(key);
        if (!fields.containsKey(field)) {
            return false;
        }
        fields.remove(field);
        removed(key, field, false);
        dropIfEmpty(key, fields.isEmpty());
        return true;
    }

    final int hlen(LuaString key) {
        return hash(key).size();
    }

    public final List<LuaString> hkeys(LuaString key) {
        return List.copyOf(hash(key).keySet());
    }

    /** Fields and values in turn. */
    public final List<LuaString> hgetall(LuaString key) {
        return hash(key).entrySet().stream()
                .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                .toList();
    }

    // --- sets ---

    public final int scard(LuaString key) {
        return smembers(key).size();
    }

    final Set<LuaString> smembers(LuaString key) {
        Value value = find(key, "set");
        return value == null || value.members == null ? Set.of() : value.members;
    }

    /** Tells whether the member is new. */
    final boolean sadd(LuaString key, LuaString member) {
        beforeWrite(true);
        smembers(key);
        Value value = findOrMake(key);
        if (value.members == null) {
            value.members = new LinkedHashSet<>();
        }
        boolean isNew = value.members.add(member);
        changed(key);
        return isNew;
    }

    // --- sorted sets ---

    private @Nullable Ranking ranking(LuaString key) {
        Value value = find(key, "zset");
        return value == null ? null : value.ranking;
    }

    final int zcard(LuaString key) {
        Ranking ranking = ranking(key);
        return ranking == null ? 0 : ranking.size();
    }

    /** The members of a sorted set from one place to another, the first first; a negative place is one from the end. */
    public final List<LuaString> zrange(LuaString key, int from, int to) {
        Ranking ranking = ranking(key);
        int size = ranking == null ? 0 : ranking.size();
        int first = Math.max(0, from < 0 ? size + from : from);
        int last = Math.min(size - 1, to < 0 ? size + to : to);
        return ranking == null || first > last ? List.of() : ranking.members(first, last);
    }

    /** The members between two scores, both among them. */
    final Stream<LuaString> zrangebyscore(LuaString key, double least, double most) {
        Ranking ranking = ranking(key);
        return ranking == null ? Stream.of() : ranking.scored(least, most);
    }

    public final @Nullable Double zscore(LuaString key, LuaString member) {
        Ranking ranking = ranking(key);
        return ranking == null ? null : ranking.score(member);
    }

    /** The place of a member, from 0; negative without it. */
    final int zrank(LuaString key, LuaString member) {
        Ranking ranking = ranking(key);
        return ranking == null ? -1 : ranking.rank(member);
    }

    /**
     * Tells whether the member is new.
     *
     * @param options of {@code NX}, {@code XX}, {@code GT} and {@code LT}
     */
    public final boolean zadd(LuaString key, Set<String> options, double score, LuaString member) {
        beforeWrite(true);
        Double before = zscore(key, member);
        boolean isRefused = before == null
                ? options.contains("XX")
                : options.contains("NX")
                        || (options.contains("GT") && score <= before)
                        || (options.contains("LT") && score >= before);
        if (isRefused) {
            return false;
        }
        Value value = findOrMake(key);
        if (value.ranking == null) {
            value.ranking = new Ranking();
        }
        value.ranking.put(score, member);
        if (before == null) {
            added(key, member);
        }
        changed(key);
        return before == null;
    }

    public final boolean zrem(LuaString key, LuaString member) {
        beforeWrite(false);
        Ranking ranking = ranking(key);
        return ranking != null && remove(key, ranking, member, false);
    }

    /** Removes members up to this score, that among them; tells how many. */
    final int zremrangebyscore(LuaString key, double most) {
        beforeWrite(false);
        Ranking ranking = ranking(key);
        if (ranking == null) {
            return 0;
        }
        List<LuaString> gone = ranking.scored(Double.NEGATIVE_INFINITY, most).toList();
        gone.forEach(member -> remove(key, ranking, member, true));
        return gone.size();
    }

    private boolean remove(LuaString key, Ranking ranking, LuaString member, boolean isExpired) {
        if (!ranking.remove(member)) {
            return false;
        }
        removed(key, member, isExpired);
        dropIfEmpty(key, ranking.size() == 0);
        return true;
    }

    // --- time ---

    /** The time of day. */
    public final long micros() {
        return timeMicros.getAsLong();
    }

    protected final long millis() {
        return Math.floorDiv(micros(), 1_000);
    }
}
