package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.memory.script.LuaScripts;
import io.holdfast.lock.memory.script.ScriptHost;
import io.holdfast.lock.memory.script.ScriptRefusal;
import io.holdfast.lock.memory.script.ScriptReply;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Script;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;

/**
 * A server process with its data, its clock and its connections. It runs one command at a time; it can be stopped, slow,
 * loading, busy, full, a replica, restarted with and without its data, and replaced by a replica that lags behind.
 */
final class SimulatedServer implements ScriptHost {

    /** What a server has done, for those who judge. */
    interface Witness extends Keyspace.Listener {

        /**
         * A script has granted a lock, at this time of the server's day.
         *
         * @param tokens how many were put by, that one included
         * @param abandoned whether the client had left the connection by which it asked
         */
        void granted(LuaString key, LuaString field, long token, long tokens, long micros, boolean abandoned);

        /** A script has given the server to a hold that others have granted. */
        void joined(LuaString key, LuaString field, long token, boolean abandoned);

        /** A script was run to its end. */
        default void ran(Request request, Keyspace data) {}

        /** A script has not been run to its end for want of memory. */
        void outOfMemory(String script);

        /** The server has lost what it knew of some keys, and has this now. */
        void lostData(Keyspace data);
    }

    /** Commands without keys; messages of a slot are published where it is. */
    private static final Set<String> KEYLESS = Set.of("TIME", "INFO", "SCAN", "PUBLISH", "PUBSUB");

    private static final long USUAL_WORK_NANOS = 30_000;
    private static final long LOOKS_AGAIN_NANOS = 20_000_000;

    final String name;
    final int index;
    final Clock clock;
    private final World world;
    private final Witness witness;
    private final Keyspace keys;
    private final LuaScripts interpreter = new LuaScripts(this);
    private final Chance chance;

    private final Set<Script> scripts = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Map<LuaString, List<Connection>> listeners = new LinkedHashMap<>();
    private Keyspace.@Nullable Replica replica;

    private int process = 1;
    private int restarts;
    private long startedNanos;
    private long promotedNanos = Long.MIN_VALUE;
    private boolean up = true;
    private boolean appendOnly = true;
    private long stoppedUntilNanos;
    private long loadingUntilNanos;
    private long busyUntilNanos;
    private long slowNanos;
    private long attempts;
    private long histories = 1;
    private @Nullable SimulatedGroup group;
    private @Nullable SlotTable slots;
    /** Whether the call that runs was let in because its client knows that the slot is on its way here. */
    private boolean asked;

    SimulatedServer(World world, int index, Clock clock, long epochMicros, Chance chance, Witness witness) {
        this.world = world;
        this.index = index;
        this.name = "node-" + (char) ('a' + index);
        this.clock = clock;
        this.chance = chance;
        this.witness = witness;
        this.keys = new Keyspace(clock, epochMicros, witness);
        this.startedNanos = -3_600_000_000_000L;
    }

    // --- what clients meet ---

    /** Whether anybody listens at the address. */
    boolean isUp() {
        return up;
    }

    /** When the process reads from its sockets again: now, or later. */
    long readsAt() {
        return Math.max(stoppedUntilNanos, world.nanos());
    }

    long workNanos() {
        return slowNanos == 0 ? USUAL_WORK_NANOS : chance.below(slowNanos);
    }

    String runId() {
        return name + "-" + process;
    }

    /** Whether the process says that it keeps an append-only file. */
    boolean isAppendOnly() {
        return appendOnly;
    }

    /** How long the process has been up, in whole seconds as a server tells it. */
    long upSeconds() {
        return (world.nanos() - startedNanos) / 1_000_000_000L;
    }

    void accept(Connection connection) {
        connections.add(connection);
    }

    /** The fence: whatever is in that connection's socket is never run. */
    void kill(Connection connection) {
        if (connections.contains(connection)) {
            connection.end("the server closed the connection");
        }
    }

    /** A client's end has gone; the server notices after a while. */
    void left(Connection connection, long noticedAfterNanos) {
        world.after(noticedAfterNanos, () -> {
            if (connection.underWay() > 0) {
                left(connection, LOOKS_AGAIN_NANOS);
            } else if (connections.contains(connection)) {
                connection.end("the client closed the connection");
            }
        });
    }

    void closed(Connection connection) {
        connections.remove(connection);
        for (List<Connection> subscribed : listeners.values()) {
            subscribed.remove(connection);
        }
    }

    Answer execute(Connection from, Request request) {
        LuaString channel = request.channel;
        switch (request.kind) {
            case LOAD:
                if (request.script != null) {
                    scripts.add(request.script);
                }
                return Answer.DONE;
            case SUBSCRIBE:
            case UNSUBSCRIBE:
                Answer refused = channel == null || slots == null || request.kind == Request.Kind.UNSUBSCRIBE
                        ? null
                        : slots.refusalOfChannel(channel, request.asking);
                if (refused != null) {
                    return refused;
                }
                if (channel != null) {
                    List<Connection> subscribed = listeners.computeIfAbsent(channel, first -> new ArrayList<>());
                    subscribed.remove(from);
                    if (request.kind == Request.Kind.SUBSCRIBE) {
                        subscribed.add(from);
                    }
                }
                return Answer.DONE;
            case CALL:
                return run(request, from.isAbandoned());
            default:
                return Answer.DONE;
        }
    }

    /**
     * Runs a script.
     *
     * @param abandoned whether the client has left the connection by which it asked
     */
    Answer run(Request request, boolean abandoned) {
        Script script = request.script;
        if (script == null) {
            throw new IllegalStateException("a call without a script");
        }
        if (loadingUntilNanos > world.nanos()) {
            return Answer.error(Fault.Kind.LOADING);
        }
        if (busyUntilNanos > world.nanos()) {
            return Answer.error(Fault.Kind.BUSY);
        }
        Answer refusal = slots == null ? null : slots.refusal(request);
        if (refusal != null) {
            return refusal;
        }
        asked = request.asking;
        if (!scripts.contains(script)) {
            return Answer.error(Fault.Kind.SCRIPT_MISSING);
        }
        if (request.isAcquisition()) {
            attempts++;
        }
        keys.begin(cause(script));
        ScriptReply reply;
        try {
            reply = interpreter.run(script, request.keys, request.arguments);
        } catch (ScriptRefusal refused) {
            if (refused.kind() == Fault.Kind.OOM) {
                witness.outOfMemory(Request.plainName(script));
            }
            return slots == null ? Answer.error(refused.kind()) : Answer.error(refused.kind(), refused.words());
        } catch (LuaError broken) {
            throw world.fail("ERR", request + ": the script is broken: " + broken.getMessage());
        }
        tellOfGrant(request, script, reply, abandoned);
        witness.ran(request, keys);
        return Answer.of(reply);
    }

    private void tellOfGrant(Request request, Script script, ScriptReply reply, boolean abandoned) {
        int field =
                switch (Request.plainName(script)) {
                    case "acquire", "propose", "read-propose" -> 1;
                    case "transfer", "queue-join" -> 2;
                    default -> 0;
                };
        if (field > 0 && reply.integer(0) == 1) {
            long tokens = request.takesTurns() && reply.size() > 3 ? reply.integer(2) : 1;
            witness.granted(
                    request.key(1), request.argument(field), reply.integer(1), tokens, keys.micros(), abandoned);
        } else if (script.name().equals("adopt") && reply.integer() == 1) {
            witness.granted(
                    request.key(1), request.argument(1), request.argument(2).tolong(), 1, keys.micros(), abandoned);
        } else if (script.name().equals("read-adopt") && reply.integer() == 1) {
            witness.granted(
                    request.key(1), request.argument(1), request.argument(2).tolong(), 1, keys.micros(), abandoned);
        } else if (script.name().equals("read-join") && reply.integer(0) == 1) {
            witness.joined(
                    request.key(1), request.argument(1), request.argument(3).tolong(), abandoned);
        } else if (script.name().equals("join") && reply.integer(0) == 1) {
            witness.joined(
                    request.key(1), request.argument(1), request.argument(5).tolong(), abandoned);
        }
    }

    private static Keyspace.Cause cause(Script script) {
        return switch (Request.plainName(script)) {
            case "transfer" -> Keyspace.Cause.TRANSFERRED;
            case "force", "queue-force" -> Keyspace.Cause.FORCED;
            default -> Keyspace.Cause.RELEASED;
        };
    }

    @Override
    public Keyspace keys() {
        return keys;
    }

    @Override
    public String replicationId() {
        return String.format("%x%015x", 10 + index, histories);
    }

    /** It is one of several servers, and Sentinels say which of them is the primary. */
    void joins(SimulatedGroup newGroup) {
        group = newGroup;
        follow();
    }

    /** What Sentinels say of it; null if there are none. */
    @Nullable
    SimulatedGroup group() {
        return group;
    }

    /** It is one of the nodes of a cluster. */
    void joins(SlotTable table) {
        slots = table;
    }

    /** What it knows as a node of a cluster. */
    SlotTable slots() {
        return Objects.requireNonNull(slots, "a node of a cluster");
    }

    @Override
    public void touch(String command, LuaString key) {
        if (slots != null && !KEYLESS.contains(command) && !slots.isLocal(key, asked)) {
            String words = "ERR Script attempted to access a non local key in a cluster node";
            throw new ScriptRefusal(Fault.Kind.SERVER_ERROR, words);
        }
        if (command.equals("TIME") && keys.hasWritten()) {
            throw new IllegalStateException(
                    "a script asks for the time behind a write (a server that refuses that would leave half a step)");
        }
    }

    /** Subscriptions to these channels end, and those who listen are told. */
    void endSubscriptions(Predicate<LuaString> channels) {
        listeners.forEach((channel, subscribed) -> {
            if (channels.test(channel)) {
                subscribed.forEach(each -> each.tell(Answer.ended(channel)));
                subscribed.clear();
            }
        });
    }

    @Override
    public long publish(LuaString channel, LuaString message) {
        List<Connection> subscribed = listeners.get(channel);
        if (subscribed == null) {
            return 0;
        }
        for (Connection each : subscribed) {
            each.tell(Answer.message(channel, message));
        }
        return subscribed.size();
    }

    @Override
    public long listeners(LuaString channel) {
        List<Connection> subscribed = listeners.get(channel);
        return subscribed == null ? 0 : subscribed.size();
    }

    /** How often it was asked for a lock. */
    long attempts() {
        return attempts;
    }

    /** To how many channels anybody listens. */
    int channels() {
        return (int) listeners.values().stream()
                .filter(subscribed -> !subscribed.isEmpty())
                .count();
    }

    /** How many subscriptions there are, but for those of clients whose leaving has not been noticed yet. */
    long subscriptions() {
        return listeners.values().stream()
                .flatMap(List::stream)
                .filter(connection -> !connection.isAbandoned())
                .count();
    }

    // --- faults ---

    /** As if the process had been stopped by a signal: its sockets fill. */
    void stop(long nanos) {
        stoppedUntilNanos = Math.max(stoppedUntilNanos, world.nanos() + nanos);
    }

    void slow(long mostNanos) {
        slowNanos = mostNanos;
    }

    void busy(long nanos) {
        busyUntilNanos = world.nanos() + nanos;
    }

    /** The server's memory is full, and it makes room. */
    void evict(LuaString key) {
        keys.evict(key);
        witness.lostData(keys);
    }

    void load(Script script) {
        scripts.add(script);
    }

    void forgetScripts() {
        scripts.clear();
    }

    /** What a process remembers of the one before it. */
    enum Memory {
        ALL,
        /** A snapshot from before any lock was taken: the marker, and nothing else. */
        MARKER,
        NOTHING
    }

    /** The process ends, and another one begins after a while. */
    void restart(long downNanos, long loadingNanos, Memory memory) {
        if (memory != Memory.ALL) {
            keys.forget(key -> memory == Memory.MARKER && key.tojstring().endsWith(":marker"));
            witness.lostData(keys);
        }
        appendOnly = memory != Memory.MARKER;
        up = false;
        endConnections("connection reset by peer");
        scripts.clear();
        stoppedUntilNanos = 0;
        int restart = ++restarts;
        world.after(downNanos, () -> {
            if (restart == restarts) {
                up = true;
                process++;
                histories++;
                startedNanos = world.nanos();
                loadingUntilNanos = world.nanos() + loadingNanos;
            }
        });
    }

    /** From now on a replica follows. */
    void follow() {
        replica = new Keyspace.Replica(world);
        keys.replicateTo(replica);
    }

    /**
     * The replica, which is so far behind, becomes the server: another process on another machine.
     *
     * @param clockAheadNanos how far its clock is ahead of the old one's
     */
    void promote(long lagNanos, long clockAheadNanos) {
        Keyspace.Replica promoted = replica;
        if (promoted == null) {
            throw new IllegalStateException(name + " has no replica");
        }
        keys.becomeWhatTheReplicaHad(promoted, world.nanos() - lagNanos);
        promotedNanos = world.nanos();
        clock.step(clockAheadNanos);
        process++;
        startedNanos -= 1_000_000_000L;
        scripts.clear();
        witness.lostData(keys);
    }

    /** When a replica took its place last. */
    long promotedNanos() {
        return promotedNanos;
    }

    /** It becomes a replica of another server, whose data it has then; its connections stand. */
    void follow(SimulatedServer primary) {
        keys.readOnly(true);
        keys.becomeCopy(primary.received(), world.nanos());
    }

    /**
     * It becomes the primary, with what it had received of another one. Its connections stand.
     *
     * @param lagNanos how far it was behind
     */
    void promote(SimulatedServer before, long lagNanos) {
        keys.becomeCopy(before.received(), world.nanos() - lagNanos);
        keys.readOnly(false);
        histories++;
    }

    private Keyspace.Replica received() {
        Keyspace.Replica received = replica;
        if (received == null) {
            throw new IllegalStateException(name + " has no replica");
        }
        return received;
    }

    void endConnections(String detail) {
        for (Connection connection : List.copyOf(connections)) {
            connection.end(detail);
        }
    }

    void heal() {
        stoppedUntilNanos = 0;
        loadingUntilNanos = 0;
        busyUntilNanos = 0;
        slowNanos = 0;
        keys.readOnly(false);
        keys.full(false);
    }

    boolean isUndisturbed() {
        long now = world.nanos();
        return up && stoppedUntilNanos <= now && loadingUntilNanos <= now && busyUntilNanos <= now && slowNanos == 0;
    }
}
