package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.netty.resp.ScriptArgs;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that carries script calls: gives each answer to the call that has waited longest.
 *
 * <p>NOSCRIPT is handled here. The first call that meets it sends SCRIPT LOAD, with itself again right behind; calls
 * that were in flight at that moment and meet it too are only sent again, since their second try is behind the load.
 * Nothing is counted for that: positions in the stream of commands tell whether a call was written before the load or
 * after it. A call that is overdue, or that meets NOSCRIPT again, gets a fault instead.
 */
final class CommandSession extends Session {

    private static final Logger log = LoggerFactory.getLogger(CommandSession.class);

    /** What the endpoint hears while it is this session's turn. */
    interface Owner {

        /** Replies may follow: what the calls send meanwhile can wait for {@link #readEnds}. */
        void readBegins();

        void readEnds();

        void canWrite();
    }

    private final Owner owner;
    private final Notices notices;
    private final InFlight inFlight = new InFlight();
    private final ScriptArgs scriptArgs = new ScriptArgs();

    /** Where in the stream of commands each script was last loaded. */
    private final Map<Script, Long> loads = new HashMap<>();

    private boolean loadForbidden;
    private long writtenCount;
    private long answeredCount;
    private long expectsSinceNanos;
    private @Nullable Fault leaving;

    CommandSession(ConnectionSettings settings, Runtime runtime, Notices notices, Owner owner) {
        super(settings, runtime, notices, true);
        this.notices = notices;
        this.owner = owner;
    }

    /** Whether a call may be written now. */
    boolean accepts() {
        return leaving == null && inFlight.size() < settings.queueLimit() && isWritable();
    }

    boolean isIdle() {
        return inFlight.isEmpty();
    }

    /** Writes a call; {@link #flush} sends it. From now on it may have been applied. */
    void write(ScriptCall call) {
        if (!loadForbidden && !loads.containsKey(call.script)) {
            // Ahead of its first use: a call that met NOSCRIPT would be written again behind others (rule 6).
            load(call.script);
        }
        write(call, (byte) 0);
    }

    void flushCalls() {
        flush();
    }

    /** Tells calls whose deadline has passed; the timer learns the deadlines of the others. */
    void lookForOverdue(long nowNanos, DeadlineTimer timer) {
        for (int i = 0; i < inFlight.size(); i++) {
            if (inFlight.get(i) instanceof ScriptCall call && !inFlight.has(i, InFlight.OVERDUE)) {
                if (call.deadlineNanos - nowNanos <= 0) {
                    inFlight.set(i, InFlight.OVERDUE);
                    Calls.overdue(call);
                } else {
                    timer.include(call.deadlineNanos);
                }
            }
        }
    }

    @Override
    protected void onRead() {
        owner.readBegins();
    }

    @Override
    protected void onReadComplete() {
        owner.readEnds();
    }

    @Override
    protected void onWritabilityChanged() {
        if (isWritable()) {
            owner.canWrite();
        }
    }

    @Override
    protected boolean expectsAnswer() {
        return !inFlight.isEmpty();
    }

    @Override
    protected long expectsSince() {
        return expectsSinceNanos;
    }

    @Override
    protected void ping() {
        write(Control.PING, "PING");
        flush();
    }

    @Override
    protected void onReply(RespValue reply) {
        if (reply.kind() == RespValue.Kind.PUSH) {
            return;
        }
        if (inFlight.isEmpty()) {
            abort(new Fault(Kind.PROTOCOL, true, settings.node(), "an answer that nothing asked for: " + reply));
            return;
        }
        byte flags = inFlight.oldestFlags();
        Object command = inFlight.remove();
        long position = answeredCount++;
        if (command instanceof ScriptCall call) {
            onCallReply(call, flags, position, reply);
        } else {
            ((Control) command).onReply(reply);
        }
        if (leaving != null && inFlight.isEmpty()) {
            abort(leaving);
        }
    }

    @Override
    protected void onEnd(Fault fault) {
        while (!inFlight.isEmpty()) {
            if (inFlight.remove() instanceof ScriptCall call) {
                Calls.fault(call, new Fault(fault.kind(), true, fault.node(), fault.detail()));
            }
        }
    }

    private void onCallReply(ScriptCall call, byte flags, long position, RespValue reply) {
        if (!reply.isError()) {
            if (!Calls.reply(call, reply)) {
                // Whose answer it is instead, nobody can tell, nor whose the next one is.
                Fault mixedUp = new Fault(
                        Kind.PROTOCOL,
                        true,
                        settings.node(),
                        "an answer that " + call.script + " does not give: " + reply);
                Calls.fault(call, mixedUp);
                abort(mixedUp);
            }
            return;
        }
        Fault fault = ErrorReplies.fault(settings.node(), reply);
        if (fault.kind() == Kind.SCRIPT_MISSING && mayResend(flags)) {
            resend(call, flags, position);
            return;
        }
        if (isNoPrimarysAnswer(fault.kind())) {
            leave(fault);
        }
        Calls.fault(call, fault);
    }

    /** Whether it is what a replica says; in a cluster it says MOVED. */
    private static boolean isNoPrimarysAnswer(Kind kind) {
        return kind == Kind.READONLY || kind == Kind.MASTERDOWN || kind == Kind.MOVED;
    }

    private boolean mayResend(byte flags) {
        boolean anotherWay = loadForbidden && (flags & InFlight.WITH_SOURCE) == 0;
        return (flags & InFlight.OVERDUE) == 0 && ((flags & InFlight.RESENT) == 0 || anotherWay);
    }

    private void resend(ScriptCall call, byte flags, long position) {
        if (loadForbidden) {
            write(call, (byte) (flags | InFlight.RESENT | InFlight.WITH_SOURCE));
            return;
        }
        Long loaded = loads.get(call.script);
        if (loaded == null || loaded < position) {
            load(call.script);
        }
        write(call, (byte) (flags | InFlight.RESENT));
    }

    private void load(Script script) {
        log.debug("Loading script {} at {}", script, settings.node());
        loads.put(script, writtenCount);
        write(new Loading(script), "SCRIPT", "LOAD", script.source());
    }

    /** Gives this connection up as soon as all answers are in: what is behind the address may have changed. */
    private void leave(Fault reason) {
        if (leaving == null) {
            leaving = new Fault(reason.kind(), true, reason.node(), reason.detail());
        }
    }

    private void write(Control control, String... command) {
        write(command);
        add(control, (byte) 0);
    }

    private void write(ScriptCall call, byte flags) {
        try {
            if ((flags & InFlight.WITH_SOURCE) != 0) {
                scriptArgs.eval(out(), call);
            } else {
                scriptArgs.evalsha(out(), call);
            }
        } catch (RuntimeException | Error bug) {
            // Nothing was written, so the stream is intact and only this call fails.
            log.error("Call of {} could not be written", call.script, bug);
            Calls.fault(
                    call, new Fault(Kind.PROTOCOL, false, settings.node(), "the call could not be written: " + bug));
            return;
        }
        written();
        add(call, flags);
    }

    private void add(Object command, byte flags) {
        if (inFlight.isEmpty()) {
            expectsSinceNanos = runtime.nanos();
        }
        inFlight.add(command, flags);
        writtenCount++;
    }

    /** A script on its way to the server. */
    private final class Loading implements Control {

        private final Script script;

        Loading(Script script) {
            this.script = script;
        }

        @Override
        public void onReply(RespValue reply) {
            if (!reply.isError()) {
                return;
            }
            if (ErrorReplies.kind(reply) == Kind.NOPERM) {
                loadForbidden = true;
                notices.noScriptLoad(ErrorReplies.detail(reply));
            } else {
                log.warn("{} did not load {}: {}", settings.node(), script, ErrorReplies.detail(reply));
            }
        }
    }
}
