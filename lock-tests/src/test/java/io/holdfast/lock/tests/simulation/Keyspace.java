package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.memory.script.ScriptRefusal;
import io.holdfast.lock.memory.script.StoredData;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/** The data of a simulated server: who hears of what comes and goes, when it refuses to write, and what a replica has of it. */
final class Keyspace extends StoredData {

    static final LuaString TOKEN_FIELD = LuaString.valueOf("token");

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

    private final Listener listener;

    private @Nullable Replica replica;
    private Cause cause = Cause.RELEASED;
    private boolean readOnly;
    private boolean full;
    private boolean written;

    /** @param epochMicros the time of day when the clock says zero */
    Keyspace(Clock clock, long epochMicros, Listener listener) {
        super(() -> epochMicros + Math.floorDiv(clock.nanos(), 1_000));
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

    /** Whether the script that runs has written. */
    boolean hasWritten() {
        return written;
    }

    /** Refuses a write where a server would; after a script's first write all others are allowed. */
    @Override
    protected void beforeWrite(boolean mayGrow) {
        if (readOnly) {
            throw new ScriptRefusal(Fault.Kind.READONLY, "READONLY You can't write against a read only replica.");
        }
        if (full && mayGrow && !written) {
            throw new ScriptRefusal(Fault.Kind.OOM, "OOM command not allowed when used memory > 'maxmemory'.");
        }
        written = true;
    }

    // --- what comes and goes ---

    @Override
    protected void added(LuaString key, LuaString member) {
        if (isHolder(key, member)) {
            listener.added(key, member, cause == Cause.TRANSFERRED && type(key).equals("hash"));
        }
    }

    @Override
    protected void removed(LuaString key, LuaString member, boolean isExpired) {
        if (isHolder(key, member)) {
            listener.removed(key, member, isExpired ? Cause.EXPIRED : cause);
        }
    }

    @Override
    protected void changed(LuaString key) {
        if (replica != null) {
            Value value = value(key);
            replica.receive(key, value == null ? null : value.copy());
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

    // --- what happens to data ---

    /**
     * {@code MIGRATE}: a key goes to another server, with what is left of its time to live there.
     *
     * @return false if it is there already, and stays here
     */
    boolean migrate(LuaString key, Keyspace target) {
        Value value = exists(key) ? value(key) : null;
        if (value == null) {
            return true;
        }
        if (target.exists(key)) {
            return false;
        }
        discard(key);
        target.put(key, value.copyBehind(target.millis() - millis()));
        changed(key);
        target.changed(key);
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

    private void drop(LuaString key, Cause why) {
        Cause before = cause;
        cause = why;
        drop(key, false);
        cause = before;
    }

    /** From now on every change goes to a replica as well. */
    void replicateTo(Replica newReplica) {
        replica = newReplica;
    }

    /** The replica takes over, with what it had received in time; the rest is lost. */
    void becomeWhatTheReplicaHad(Replica promoted, long untilNanos) {
        become(promoted.stateAt(untilNanos));
    }

    /** It is a replica from now on, or was one, and has what it had received in time. */
    void becomeCopy(Replica received, long untilNanos) {
        become(received.seenAt(untilNanos));
        keys().forEach(this::changed);
    }

    private void become(Map<LuaString, Value> had) {
        Map<LuaString, Value> before = new LinkedHashMap<>();
        keys().forEach(key -> before.put(key, value(key)));
        before.forEach((key, mine) -> {
            Value its = had.get(key);
            mine.fields().stream()
                    .filter(field -> isHolder(key, field))
                    .filter(field -> its == null || !its.fields().contains(field))
                    .forEach(field -> listener.removed(key, field, Cause.FORGOTTEN));
        });
        keys().forEach(this::discard);
        had.forEach((key, its) -> {
            Value mine = before.get(key);
            put(key, its.copy());
            its.fields().stream()
                    .filter(field -> isHolder(key, field))
                    .filter(field -> mine == null || !mine.fields().contains(field))
                    .forEach(field -> listener.added(key, field, false));
        });
    }

    /** A copy of the data that is always a little behind. */
    static final class Replica {

        private final World world;
        private final List<Change> changes = new ArrayList<>();

        private record Change(long atNanos, LuaString key, @Nullable Value state) {}

        Replica(World world) {
            this.world = world;
        }

        private void receive(LuaString key, @Nullable Value state) {
            changes.add(new Change(world.nanos(), key, state));
        }

        private Map<LuaString, Value> stateAt(long nanos) {
            Map<LuaString, Value> state = seenAt(nanos);
            changes.clear();
            state.forEach((key, kept) -> changes.add(new Change(nanos, key, kept)));
            return state;
        }

        private Map<LuaString, Value> seenAt(long nanos) {
            Map<LuaString, Value> state = new LinkedHashMap<>();
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
