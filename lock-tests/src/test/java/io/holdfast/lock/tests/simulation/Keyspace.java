package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * The data of a server, with the commands that the scripts use: hashes, strings and sorted sets, and expiry by the
 * server's own clock. Named after the commands, which behave as those of a real server.
 */
final class Keyspace {

    static final LuaString TOKEN_FIELD = LuaString.valueOf("token");
    static final long NO_EXPIRY = -1;
    private static final long NO_KEY = -2;

    /** Why a field is no longer there. */
    enum Cause {
        RELEASED,
        TRANSFERRED,
        FORCED,
        EXPIRED,
        EVICTED,
        FORGOTTEN
    }

    /** Hears of the fields of locks as they come and go, and of the members of sorted sets. */
    interface Listener {

        /** @param handedOver whether another field of the same client had the lock until now */
        void added(LuaString key, LuaString field, boolean handedOver);

        void removed(LuaString key, LuaString field, Cause cause);
    }

    /** What a key stands for: a hash, a string without fields, a set, whose members are its fields, or a sorted set without. */
    private static final class Entry {

        private LuaString[] fields = new LuaString[4];
        private LuaString[] values = new LuaString[4];
        private int size;
        private @Nullable LuaString text;
        private boolean isSet;
        private @Nullable Ranking members;
        private long expiresMillis = NO_EXPIRY;

        Entry copy() {
            Entry copy = new Entry();
            copy.fields = fields.clone();
            copy.values = values.clone();
            copy.size = size;
            copy.text = text;
            copy.isSet = isSet;
            copy.members = members == null ? null : members.copy();
            copy.expiresMillis = expiresMillis;
            return copy;
        }

        int append(LuaString field) {
            if (size == fields.length) {
                fields = Arrays.copyOf(fields, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
            }
            fields[size] = field;
            return size++;
        }

        int find(LuaString field) {
            for (int i = 0; i < size; i++) {
                if (fields[i].raweq(field)) {
                    return i;
                }
            }
            return -1;
        }
    }

    private final Clock clock;
    private final long epochMicros;
    private final Listener listener;
    private final Map<LuaString, Entry> entries = new LinkedHashMap<>();

    private @Nullable Replica replica;
    private Cause cause = Cause.RELEASED;
    private boolean readOnly;
    private boolean full;
    private boolean written;

    /** @param epochMicros the time of day when the clock says zero */
    Keyspace(Clock clock, long epochMicros, Listener listener) {
        this.clock = clock;
        this.epochMicros = epochMicros;
        this.listener = listener;
    }

    // --- around scripts ---

    /** A script begins; if it frees a lock, that is why. */
    void begin(Cause why) {
        cause = why;
        written = false;
    }

    void readOnly(boolean refusesWrites) {
        readOnly = refusesWrites;
    }

    void full(boolean refusesGrowth) {
        full = refusesGrowth;
    }

    /** Refuses a write where a server would; after a script's first write all others are allowed. */
    private void write(boolean mayGrow) {
        if (readOnly) {
            throw new RefusedError(Fault.Kind.READONLY, "READONLY You can't write against a read only replica.");
        }
        if (full && mayGrow && !written) {
            throw new RefusedError(Fault.Kind.OOM, "OOM command not allowed when used memory > 'maxmemory'.");
        }
        written = true;
    }

    // --- keys ---

    private @Nullable Entry find(LuaString key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.expiresMillis >= 0 && millis() > entry.expiresMillis) {
            drop(key, Cause.EXPIRED);
            return null;
        }
        return entry;
    }

    private Entry findOrMake(LuaString key) {
        Entry entry = find(key);
        if (entry == null) {
            entry = new Entry();
            entries.put(key, entry);
        }
        return entry;
    }

    private void drop(LuaString key, Cause why) {
        Entry gone = entries.remove(key);
        if (gone != null) {
            for (int i = 0; i < gone.size; i++) {
                if (isHolder(key, gone.fields[i])) {
                    listener.removed(key, gone.fields[i], why);
                }
            }
            if (gone.members != null) {
                gone.members.members().forEach(member -> listener.removed(key, member, why));
            }
            replicate(key);
        }
    }

    /** Whether a field is one that holds a lock. */
    private static boolean isHolder(LuaString key, LuaString field) {
        String name = key.tojstring();
        return !field.raweq(TOKEN_FIELD)
                && !name.endsWith(":latch")
                && !name.endsWith(":counted")
                && !name.endsWith(":limit");
    }

    boolean exists(LuaString key) {
        return find(key) != null;
    }

    boolean del(LuaString key) {
        write(false);
        if (find(key) == null) {
            return false;
        }
        drop(key, cause);
        return true;
    }

    long pttl(LuaString key) {
        Entry entry = find(key);
        if (entry == null) {
            return NO_KEY;
        }
        return entry.expiresMillis < 0 ? NO_EXPIRY : Math.max(0, entry.expiresMillis - millis());
    }

    boolean pexpire(LuaString key, long leaseMillis) {
        return pexpireat(key, millis() + leaseMillis);
    }

    boolean pexpireat(LuaString key, long atMillis) {
        write(false);
        Entry entry = find(key);
        if (entry == null) {
            return false;
        }
        entry.expiresMillis = atMillis;
        replicate(key);
        return true;
    }

    boolean persist(LuaString key) {
        write(false);
        Entry entry = find(key);
        if (entry == null || entry.expiresMillis < 0) {
            return false;
        }
        entry.expiresMillis = NO_EXPIRY;
        replicate(key);
        return true;
    }

    String type(LuaString key) {
        Entry entry = find(key);
        if (entry == null) {
            return "none";
        }
        return entry.text != null ? "string" : entry.isSet ? "set" : entry.members != null ? "zset" : "hash";
    }

    // --- strings ---

    @Nullable
    LuaString get(LuaString key) {
        Entry entry = find(key);
        return entry == null ? null : entry.text;
    }

    /** Tells whether the key was not there. A full server refuses it in either case. */
    boolean setIfAbsent(LuaString key, LuaString value) {
        write(true);
        if (find(key) != null) {
            return false;
        }
        set(key, value);
        return true;
    }

    void set(LuaString key, LuaString value) {
        write(true);
        Entry entry = findOrMake(key);
        entry.text = value;
        entry.expiresMillis = NO_EXPIRY;
        replicate(key);
    }

    // --- hashes ---

    boolean hexists(LuaString key, LuaString field) {
        Entry entry = find(key);
        return entry != null && entry.find(field) >= 0;
    }

    @Nullable
    LuaString hget(LuaString key, LuaString field) {
        Entry entry = find(key);
        int place = entry == null ? -1 : entry.find(field);
        return entry == null || place < 0 ? null : entry.values[place];
    }

    /** Tells whether the field is new. */
    boolean hset(LuaString key, LuaString field, LuaString value) {
        write(true);
        Entry entry = findOrMake(key);
        int place = entry.find(field);
        boolean isNew = place < 0;
        if (isNew) {
            place = entry.append(field);
        }
        entry.values[place] = value;
        if (isNew && isHolder(key, field)) {
            listener.added(key, field, cause == Cause.TRANSFERRED);
        }
        replicate(key);
        return isNew;
    }

    boolean hdel(LuaString key, LuaString field) {
        write(false);
        Entry entry = find(key);
        int place = entry == null ? -1 : entry.find(field);
        if (entry == null || place < 0) {
            return false;
        }
        entry.size--;
        System.arraycopy(entry.fields, place + 1, entry.fields, place, entry.size - place);
        System.arraycopy(entry.values, place + 1, entry.values, place, entry.size - place);
        if (isHolder(key, field)) {
            listener.removed(key, field, cause);
        }
        if (entry.size == 0) {
            entries.remove(key);
        }
        replicate(key);
        return true;
    }

    int hlen(LuaString key) {
        Entry entry = find(key);
        return entry == null ? 0 : entry.size;
    }

    // --- sets ---

    /** Tells whether the member is new. */
    boolean sadd(LuaString key, LuaString member) {
        write(true);
        Entry entry = findOrMake(key);
        entry.isSet = true;
        boolean isNew = entry.find(member) < 0;
        if (isNew) {
            entry.append(member);
        }
        replicate(key);
        return isNew;
    }

    int scard(LuaString key) {
        return hlen(key);
    }

    /** The hashes whose keys match a pattern, which is a text up to its first star; all on one page. */
    List<LuaString> hashes(String pattern) {
        String start = pattern.replaceFirst("(?<!\\\\)\\*.*", "").replaceAll("\\\\(.)", "$1");
        return List.copyOf(entries.keySet()).stream()
                .filter(key -> key.tojstring().startsWith(start))
                .filter(key -> !hgetall(key).isEmpty())
                .toList();
    }

    /** Fields and values in turn. */
    List<LuaString> hgetall(LuaString key) {
        Entry entry = find(key);
        List<LuaString> all = new ArrayList<>();
        for (int i = 0; entry != null && i < entry.size; i++) {
            all.add(entry.fields[i]);
            all.add(entry.values[i]);
        }
        return all;
    }

    // --- sorted sets ---

    private @Nullable Ranking members(LuaString key) {
        Entry entry = find(key);
        return entry == null ? null : entry.members;
    }

    /** The members of a sorted set, the first first; none if there is no such set. */
    List<LuaString> members(LuaString key, int from, int to) {
        Ranking members = members(key);
        int size = members == null ? 0 : members.size();
        int first = Math.max(0, from < 0 ? size + from : from);
        int last = Math.min(size - 1, to < 0 ? size + to : to);
        return members == null || first > last ? List.of() : members.members().subList(first, last + 1);
    }

    @Nullable
    Double zscore(LuaString key, LuaString member) {
        Ranking members = members(key);
        return members == null ? null : members.score(member);
    }

    /** The place of a member, from 0; negative without it. */
    int zrank(LuaString key, LuaString member) {
        Ranking members = members(key);
        return members == null ? -1 : members.rank(member);
    }

    /** What {@code ZADD} may do beside adding. */
    enum Addition {
        ANY,
        /** Only what is not there. */
        NX,
        /** Only what is there. */
        XX,
        /** Raise what is there, or add. */
        GT,
        /** Lower what is there, and add nothing. */
        XX_LT
    }

    /** Tells whether the member is new. */
    boolean zadd(LuaString key, Addition addition, double score, LuaString member) {
        write(true);
        Double before = zscore(key, member);
        boolean refused =
                switch (addition) {
                    case ANY -> false;
                    case NX -> before != null;
                    case XX -> before == null;
                    case GT -> before != null && score <= before;
                    case XX_LT -> before == null || score >= before;
                };
        if (refused) {
            return false;
        }
        Entry entry = findOrMake(key);
        Ranking members = entry.members == null ? new Ranking() : entry.members;
        entry.members = members;
        members.put(score, member);
        if (before == null) {
            listener.added(key, member, false);
        }
        replicate(key);
        return before == null;
    }

    boolean zrem(LuaString key, LuaString member) {
        write(false);
        Ranking members = members(key);
        if (members == null || !members.remove(member)) {
            return false;
        }
        removed(key, members, member, cause);
        return true;
    }

    /** Removes members from the lowest score up to this one; tells how many. */
    int zremrangebyscore(LuaString key, double most) {
        write(false);
        Ranking members = members(key);
        int removed = 0;
        while (members != null && members.size() > 0 && members.scoreAt(0) <= most) {
            LuaString member = members.memberAt(0);
            members.remove(member);
            removed(key, members, member, Cause.EXPIRED);
            removed++;
        }
        return removed;
    }

    private void removed(LuaString key, Ranking members, LuaString member, Cause why) {
        listener.removed(key, member, why);
        if (members.size() == 0) {
            entries.remove(key);
        }
        replicate(key);
    }

    // --- time ---

    /** The time of day. */
    long micros() {
        return epochMicros + Math.floorDiv(clock.nanos(), 1_000);
    }

    private long millis() {
        return Math.floorDiv(micros(), 1_000);
    }

    // --- what happens to data ---

    List<LuaString> keys() {
        return List.copyOf(entries.keySet());
    }

    /**
     * {@code MIGRATE}: a key goes to another server, with what is left of its time to live there.
     *
     * @return false if it is there already, and stays here
     */
    boolean migrate(LuaString key, Keyspace target) {
        Entry entry = find(key);
        if (entry == null) {
            return true;
        }
        if (target.find(key) != null) {
            return false;
        }
        Entry moved = entry.copy();
        if (moved.expiresMillis >= 0) {
            moved.expiresMillis += target.millis() - millis();
        }
        entries.remove(key);
        target.entries.put(key, moved);
        replicate(key);
        target.replicate(key);
        return true;
    }

    /** The server's memory is full, and it makes room. */
    void evict(LuaString key) {
        drop(key, Cause.EVICTED);
    }

    /** The process ends, and nothing was written down but what is kept. */
    void forget(Predicate<LuaString> kept) {
        keys().stream().filter(kept.negate()).forEach(key -> drop(key, Cause.FORGOTTEN));
    }

    /** From now on every change goes to a replica as well. */
    void replicateTo(Replica newReplica) {
        replica = newReplica;
    }

    private void replicate(LuaString key) {
        if (replica != null) {
            Entry entry = entries.get(key);
            replica.receive(key, entry == null ? null : entry.copy());
        }
    }

    /** The replica takes over, with what it had received in time; the rest is lost. */
    void becomeWhatTheReplicaHad(Replica promoted, long untilNanos) {
        become(promoted.stateAt(untilNanos));
    }

    /** It is a replica from now on, or was one, and has what it had received in time. */
    void becomeCopy(Replica received, long untilNanos) {
        become(received.seenAt(untilNanos));
        keys().forEach(this::replicate);
    }

    private void become(Map<LuaString, Object> had) {
        for (LuaString key : keys()) {
            Entry mine = entries.get(key);
            Entry its = (Entry) had.get(key);
            for (int i = 0; mine != null && i < mine.size; i++) {
                LuaString field = mine.fields[i];
                if (isHolder(key, field) && (its == null || its.find(field) < 0)) {
                    listener.removed(key, field, Cause.FORGOTTEN);
                }
            }
        }
        Map<LuaString, Entry> before = new LinkedHashMap<>(entries);
        entries.clear();
        had.forEach((key, state) -> {
            Entry its = ((Entry) state).copy();
            Entry mine = before.get(key);
            entries.put(key, its);
            for (int i = 0; i < its.size; i++) {
                if (isHolder(key, its.fields[i]) && (mine == null || mine.find(its.fields[i]) < 0)) {
                    listener.added(key, its.fields[i], false);
                }
            }
        });
    }

    /** A copy of the data that is always a little behind. */
    static final class Replica {

        private final World world;
        private final List<Change> changes = new ArrayList<>();

        private record Change(long atNanos, LuaString key, @Nullable Object state) {}

        Replica(World world) {
            this.world = world;
        }

        private void receive(LuaString key, @Nullable Object state) {
            changes.add(new Change(world.nanos(), key, state));
        }

        private Map<LuaString, Object> stateAt(long nanos) {
            Map<LuaString, Object> state = seenAt(nanos);
            changes.clear();
            state.forEach((key, kept) -> changes.add(new Change(nanos, key, kept)));
            return state;
        }

        private Map<LuaString, Object> seenAt(long nanos) {
            Map<LuaString, Object> state = new LinkedHashMap<>();
            for (Change change : changes) {
                if (change.atNanos > nanos) {
                    break;
                }
                if (change.state == null) {
                    state.remove(change.key);
                } else {
                    state.put(change.key, change.state);
                }
            }
            return state;
        }
    }
}
