package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;

/** Something that a client asks of a server: what travels, and the client's own record of it. */
final class Request implements Args {

    private static final String OF_TURNS = "turn-";

    enum Kind {
        CALL,
        LOAD,
        PING,
        SUBSCRIBE,
        UNSUBSCRIBE
    }

    final Kind kind;
    final @Nullable ScriptCall call;
    final @Nullable Script script;
    final @Nullable LuaString channel;
    final LuaTable keys = new LuaTable(2, 0);
    final LuaTable arguments = new LuaTable(5, 0);

    /** The place in the stream of the connection's commands. */
    long position;

    /** When the engine asked for it. */
    long askedNanos = -1;
    /** When the engine sent it on its way, by its client's clock. */
    long sentNanos;

    boolean overdue;
    boolean resent;
    /** Whether the node of a cluster is told that the slot is on its way there. */
    boolean asking;

    private int keyCount;
    private int argumentCount;

    private Request(Kind kind, @Nullable ScriptCall call, @Nullable Script script, @Nullable LuaString channel) {
        this.kind = kind;
        this.call = call;
        this.script = script;
        this.channel = channel;
    }

    static Request of(ScriptCall call) {
        Request request = new Request(Kind.CALL, call, call.script, null);
        request.encode();
        return request;
    }

    /** Writes the call's keys and arguments: once more when the process is known that it goes to, for it may name that. */
    void encode() {
        keyCount = 0;
        argumentCount = 0;
        if (call != null) {
            call.encode(this);
        }
    }

    static Request load(Script script) {
        return new Request(Kind.LOAD, null, script, null);
    }

    static Request ping() {
        return new Request(Kind.PING, null, null, null);
    }

    static Request listen(LuaString channel, boolean subscribe, boolean asking) {
        Request request = new Request(subscribe ? Kind.SUBSCRIBE : Kind.UNSUBSCRIBE, null, null, channel);
        request.asking = subscribe && asking;
        return request;
    }

    @Override
    public Args key(byte[] key) {
        keys.set(++keyCount, LuaString.valueUsing(key));
        return this;
    }

    @Override
    public Args arg(byte[] value) {
        arguments.set(++argumentCount, LuaString.valueUsing(value));
        return this;
    }

    @Override
    public Args arg(long value) {
        return arg(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether it runs a script of this name. */
    boolean isCallOf(String name) {
        return script != null && kind == Kind.CALL && plainName(script).equals(name);
    }

    /** The name of a script; one of locks whose clients take turns goes by that of plain locks, of which it has all arguments. */
    static String plainName(Script script) {
        return isOfTurns(script) ? script.name().substring(OF_TURNS.length()) : script.name();
    }

    private static boolean isOfTurns(Script script) {
        return script.name().startsWith(OF_TURNS);
    }

    /** Whether it is about a lock whose clients take turns. */
    boolean takesTurns() {
        return script != null && kind == Kind.CALL && isOfTurns(script);
    }

    /** Whether it asks for a lock. */
    boolean isAcquisition() {
        return isCallOf("acquire") || isCallOf("propose") || isCallOf("read-propose") || isCallOf("queue-join");
    }

    /** Whether it ends a hold, or takes back what was asked for. */
    boolean isFinalRelease() {
        return isCallOf("queue-part") || (isCallOf("release") && argument(2).tolong() == 0);
    }

    /** Whether it asks for what has a queue at the server. */
    boolean isJoin() {
        return isCallOf("queue-join") || isCallOf("permit-join") || isCallOf("cond-await");
    }

    /** Whether it gives that back, or a place in the queue. */
    boolean isPart() {
        return isCallOf("queue-part") || isCallOf("permit-part") || isCallOf("cond-part");
    }

    /** Whether it makes room by a word of a client, so that those that wait hear of it: none tells that a lease is over. */
    boolean givesBack() {
        return isPart()
                || isCallOf("cond-await")
                || isCallOf("release")
                || isCallOf("transfer")
                || isCallOf("permit-limit")
                || isCallOf("force")
                || isCallOf("queue-force");
    }

    /** What stands in the queue for it: a letter, and the field or the span. */
    String member() {
        boolean ofCondition = isCallOf("cond-await") || isCallOf("cond-part");
        return (isOfQueue() ? argument(1).tojstring() : ofCondition ? "w" : "p") + field().tojstring();
    }

    /** The field that it is about; of a call about several holds, that of the first. */
    LuaString field() {
        return argument(isOfQueue() ? 2 : 1);
    }

    /** The lease that an acquisition asks for. */
    long leaseMillis() {
        return argument(isOfQueue() ? 3 : 2).tolong();
    }

    /** Whether it is about a lock with a queue: then the mode comes before the field. */
    private boolean isOfQueue() {
        return isCallOf("queue-join") || isCallOf("queue-part");
    }

    int keys() {
        return keyCount;
    }

    int arguments() {
        return argumentCount;
    }

    LuaString key(int number) {
        return (LuaString) keys.get(number);
    }

    LuaString argument(int number) {
        return (LuaString) arguments.get(number);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind == Kind.CALL ? "" : kind.name());
        if (script != null) {
            text.append(kind == Kind.CALL ? "" : " ").append(script.name());
        }
        if (channel != null) {
            text.append(' ').append(channel);
        }
        for (int i = 1; i <= keyCount; i++) {
            text.append(' ').append(keys.get(i));
        }
        for (int i = 1; i <= argumentCount; i++) {
            text.append(' ').append(arguments.get(i));
        }
        return text.append(resent ? " (again)" : "")
                .append(asking ? " (asking)" : "")
                .toString();
    }
}
