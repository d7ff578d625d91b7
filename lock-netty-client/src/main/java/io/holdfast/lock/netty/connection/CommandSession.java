package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespDecoder;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that carries script calls: gives each answer to the call that has waited longest, if it is that call's.
 *
 * <p><b>Numbers (rule 70).</b> Every command has a place in the stream of commands. A call's number is its place,
 * counted from a random one, and its answer must come with it; PING's answer is its number, that of SCRIPT LOAD the
 * digest, that of AUTH, one of which is in flight at a time, is OK, and that of INFO, the same, has lines. Any other answer
 * shows that one was lost or came twice. Then the connection ends, and whatever is in flight may have been applied.
 *
 * <p><b>Errors.</b> An error has no number, so it might be another command's. It is held, and its command stays in
 * flight, until a later answer shows that the stream is in step; a PING asks for one. Where that PING is answered with
 * an error too, nothing more is written until every command has its answer: then none was lost.
 *
 * <p><b>NOSCRIPT.</b> The first call that meets it sends SCRIPT LOAD, with itself again right behind; calls that were in
 * flight at that moment and meet it too are only sent again, since their second try is behind the load. Nothing is
 * counted for that: places in the stream tell whether a call was written before the load or after it. A call that is
 * overdue, or that meets NOSCRIPT again, gets a fault instead.
 *
 * <p><b>Time.</b> Where the server refuses TIME in scripts, calls bring it along: {@link ServerTime}.
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

    /** Numbers begin below this: they stay whole numbers in Lua, and those of two connections hardly ever meet. */
    private static final long MOST_FIRST_NUMBER = 1L << 32;

    /**
     * So many requests may be in flight before ordinary ones have to wait. Nothing goes past a request that is written, so
     * this bounds how long an urgent one is on its way; it is enough to keep a server busy that is a tenth of a second away.
     */
    private static final int MOST_BEFORE_ORDINARY = 4_096;

    private final Owner owner;
    private final Notices notices;
    private final Calls calls;
    private final Traffic traffic;
    private final long firstNumber;
    private final InFlight inFlight = new InFlight();
    private final CallWriter writer;

    /** The place in the stream of commands at which each script was last loaded. */
    /** By their forms. */
    private final Map<Script, Long> loads = new HashMap<>();

    /** The errors of the oldest commands in flight, which are not believed yet. */
    private final Queue<RespValue> heldErrors = new ArrayDeque<>();

    private final ServerTime time;

    private boolean loadForbidden;
    /** What the server said to the ASKING right before the next call; null if it took that. */
    private @Nullable RespValue askingRefusal;

    private long writtenCount;
    private long latestPing = -1;
    /** A PING was refused: nothing is written until every command has its answer. */
    private boolean countingAnswers;

    private long expectsSinceNanos;
    private @Nullable Fault leaving;
    /** Whether the server does not tell its role to this user. */
    private boolean roleForbidden;

    /** What is to be written as soon as answers are no longer counted: an AUTH. */
    private @Nullable Runnable waitingLogin;

    CommandSession(
            ConnectionSettings settings,
            Runtime runtime,
            Notices notices,
            NumberedScripts numberedScripts,
            Calls calls,
            Traffic traffic,
            Owner owner) {
        super(settings, runtime, notices, true);
        this.notices = notices;
        this.firstNumber = runtime.random(MOST_FIRST_NUMBER);
        this.calls = calls;
        this.time = new ServerTime(settings.node(), runtime, calls, this::askTime, this::writeAgain);
        this.writer = new CallWriter(numberedScripts, this::shardsMessages, time);
        this.traffic = traffic;
        this.owner = owner;
    }

    /** Whether a call may be written now. */
    boolean accepts() {
        return leaving == null && !countingAnswers && !time.holdsCalls() && isWritable();
    }

    /** Whether so much is in flight that ordinary calls have to wait. */
    boolean isFull() {
        return inFlight.size() >= Math.min(settings.queueLimit(), MOST_BEFORE_ORDINARY);
    }

    boolean isIdle() {
        return inFlight.isEmpty();
    }

    /**
     * Writes a call; {@link #flush} sends it. From now on it may have been applied.
     *
     * @param asking whether the call's slot is on its way to this node, which the node has to be told
     */
    void write(ScriptCall call, boolean asking) {
        time.refresh();
        loadAhead(call);
        write(call, asking ? InFlight.ASKING : 0);
    }

    /** Ahead of its first use: a call that met NOSCRIPT would be written again behind others (rule 6). */
    private void loadAhead(ScriptCall call) {
        Script form = writer.form(call.script);
        if (!loadForbidden && call.script.command() == null && !loads.containsKey(form)) {
            load(form);
        }
    }

    /** Writes a call that was refused, and may be taken now. */
    private void writeAgain(ScriptCall call, byte flags) {
        loadAhead(call);
        write(call, flags);
        flush();
    }

    private void askTime() {
        write(time, "TIME");
        flush();
    }

    void flushCalls() {
        flush();
    }

    /** AUTH takes its place in the stream; it does not wait for room, and nothing waits for it. */
    @Override
    public boolean logIn(Login login, LoginOutcome outcome) {
        if (countingAnswers) {
            waitingLogin = () -> logIn(login, outcome);
        } else {
            write(new LoggingIn(outcome), "AUTH", login.user(), login.password());
            flush();
        }
        return true;
    }

    /** A server that was demoted does not say so to calls that write nothing, as the calls of waiters do. */
    @Override
    void askRole() {
        if (!roleForbidden && !countingAnswers && leaving == null) {
            write(new AskingRole(this::heardRole, () -> roleForbidden = true), "INFO", "replication");
            flush();
        }
    }

    private void heardRole(ServerPart part) {
        Kind unwanted = part.unwanted();
        if (unwanted != null) {
            leave(new Fault(unwanted, false, settings.node(), ServerPart.sentence(unwanted)));
        }
    }

    /** Tells calls whose deadline has passed; the timer learns the deadlines of the others. */
    void lookForOverdue(long nowNanos, DeadlineTimer timer) {
        time.lookForOverdue(nowNanos, timer);
        for (int i = 0; i < inFlight.size(); i++) {
            if (inFlight.get(i) instanceof ScriptCall call && !inFlight.has(i, InFlight.OVERDUE)) {
                if (call.deadlineNanos - nowNanos <= 0) {
                    inFlight.set(i, InFlight.OVERDUE);
                    calls.overdue(call);
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
        return inFlight.size() > heldErrors.size();
    }

    @Override
    protected boolean expectsNumber() {
        return expectsAnswer() && unanswered() instanceof ScriptCall && !isPlain();
    }

    @Override
    protected long expectsSince() {
        return expectsSinceNanos;
    }

    @Override
    protected void ping() {
        writePing();
        flush();
    }

    @Override
    protected boolean onReply(RespValue reply) {
        if (reply.kind() == RespValue.Kind.PUSH) {
            return false;
        }
        if (!expectsAnswer()) {
            abort(mixedUp("an answer that nothing asked for: " + reply));
            return false;
        }
        boolean withoutNumber = reply.isError() && answerNumber() == RespDecoder.NO_NUMBER;
        if (withoutNumber || (unanswered() == Control.PING && Control.isBarePong(reply))) {
            hold(reply);
        } else {
            take(reply);
        }
        if (leaving != null && inFlight.isEmpty()) {
            abort(leaving);
        } else if (waitingLogin != null && !countingAnswers) {
            Runnable login = waitingLogin;
            waitingLogin = null;
            login.run();
        }
        return true;
    }

    @Override
    protected void onEnd(Fault fault) {
        heldErrors.clear();
        time.giveUp(fault);
        while (!inFlight.isEmpty()) {
            if (inFlight.remove() instanceof ScriptCall call) {
                calls.fault(call, new Fault(fault.kind(), true, fault.node(), fault.detail()));
            }
        }
    }

    /** Keeps an error until it is known to be its command's own. */
    private void hold(RespValue error) {
        countingAnswers |= unanswered() == Control.PING;
        heldErrors.add(error);
        if (countingAnswers) {
            if (!expectsAnswer()) {
                countingAnswers = false;
                believeHeldErrors();
            }
        } else if (latestPing < unansweredPlace()) {
            writePing();
        }
    }

    /** Takes an answer that shows by itself whose it is, and with it all errors before it. */
    private void take(RespValue reply) {
        if (!isOwn(reply)) {
            abort(mixedUp("the answer to another request: " + reply));
            return;
        }
        countingAnswers = false;
        believeHeldErrors();
        long place = unansweredPlace();
        byte flags = inFlight.oldestFlags();
        Object command = inFlight.remove();
        if (reply.isError()) {
            onError(command, flags, place, reply);
        } else if (command instanceof ScriptCall call && leftOutBytes() > 0) {
            calls.fault(call, tooLong(leftOutBytes()));
        } else if (command instanceof ScriptCall call && !calls.reply(call, reply)) {
            Fault fault = mixedUp("an answer that " + call.script + " does not give: " + reply);
            calls.fault(call, fault);
            abort(fault);
        } else if (command instanceof Control control) {
            control.answered();
        }
    }

    private boolean isOwn(RespValue reply) {
        long number = firstNumber + unansweredPlace();
        if (isPlain()) {
            return CallWriter.isOfCommand(reply);
        }
        return unanswered() instanceof Control control ? control.isAnswer(reply, number) : answerNumber() == number;
    }

    private void believeHeldErrors() {
        while (!heldErrors.isEmpty()) {
            RespValue error = heldErrors.remove();
            long place = writtenCount - inFlight.size();
            byte flags = inFlight.oldestFlags();
            onError(inFlight.remove(), flags, place, error);
        }
    }

    private void onError(Object command, byte flags, long place, RespValue error) {
        if (command instanceof ScriptCall call) {
            onCallError(call, flags, place, error);
        } else {
            ((Control) command).refused(error);
        }
    }

    private void onCallError(ScriptCall call, byte flags, long place, RespValue error) {
        Fault fault = ErrorReplies.fault(settings.node(), error);
        if (fault.kind() == Kind.SCRIPT_MISSING && mayResend(flags)) {
            resend(call, flags, place);
            return;
        }
        if (ErrorReplies.isOfACommandInAScript(error) && NumberedScripts.asksForTime(call.script)) {
            onTimeRefused(call, flags, fault);
            return;
        }
        if ((flags & InFlight.ASKING) != 0 && askingRefusal != null) {
            // A node that was not told so answers that the slot is elsewhere. What it would not be told is the reason.
            calls.fault(call, ErrorReplies.fault(settings.node(), askingRefusal));
            return;
        }
        if ((flags & InFlight.OVERDUE) == 0 && traffic.isSentOn(call, fault.kind(), error)) {
            return;
        }
        if (isNoPrimarysAnswer(fault.kind())) {
            leave(fault);
        }
        if (fault.kind() == Kind.WRONGTYPE && (flags & InFlight.OVERDUE) == 0) {
            write(new KeyTypes(call, fault), (byte) (flags & InFlight.ASKING));
            flush();
        } else {
            calls.fault(call, fault);
        }
    }

    /** Nothing was written by then: a script that asks for the time does so before its first write. */
    private void onTimeRefused(ScriptCall call, byte flags, Fault fault) {
        if (!writer.canTakeTime(call.script)) {
            calls.fault(call, ServerTime.indispensable(fault));
        } else if ((flags & (InFlight.TIMED | InFlight.OVERDUE)) != 0 || leaving != null) {
            calls.fault(call, fault);
        } else {
            time.bring(call, (byte) (flags & ~InFlight.RESENT), fault);
        }
    }

    /** Whether it is what a replica says; in a cluster it says MOVED, and so does a master of other slots. */
    private boolean isNoPrimarysAnswer(Kind kind) {
        return kind == Kind.READONLY || kind == Kind.MASTERDOWN || (kind == Kind.MOVED && traffic == Traffic.ALONE);
    }

    /** Which request it answers is unknown, and so is which one the next answer belongs to. */
    private Fault mixedUp(String detail) {
        return new Fault(Kind.PROTOCOL, true, settings.node(), detail);
    }

    /** The answer is the request's own, but too long to be kept; what the script did, it did. */
    private Fault tooLong(long bytes) {
        return new Fault(
                Kind.ANSWER_TOO_LONG,
                true,
                settings.node(),
                "an answer over the limits: " + bytes + " bytes of it were left out");
    }

    /** The oldest command without any answer. */
    private Object unanswered() {
        return inFlight.get(heldErrors.size());
    }

    private boolean isPlain() {
        return inFlight.has(heldErrors.size(), InFlight.PLAIN);
    }

    private long unansweredPlace() {
        return writtenCount - inFlight.size() + heldErrors.size();
    }

    private boolean mayResend(byte flags) {
        boolean anotherWay = loadForbidden && (flags & InFlight.WITH_SOURCE) == 0;
        return (flags & InFlight.OVERDUE) == 0 && ((flags & InFlight.RESENT) == 0 || anotherWay);
    }

    private void resend(ScriptCall call, byte flags, long place) {
        if (loadForbidden) {
            write(call, (byte) (flags | InFlight.RESENT | InFlight.WITH_SOURCE));
            return;
        }
        Script form = writer.form(call.script);
        Long loaded = loads.get(form);
        if (loaded == null || loaded < place) {
            load(form);
        }
        write(call, (byte) (flags | InFlight.RESENT));
    }

    private void load(Script form) {
        log.debug("Loading script {} at {}", form, settings.node());
        loads.put(form, writtenCount);
        write(new Loading(form, settings.node(), this::forbidLoads), "SCRIPT", "LOAD", form.source());
    }

    private void forbidLoads(String why) {
        loadForbidden = true;
        notices.noScriptLoad(why);
    }

    private void writePing() {
        latestPing = writtenCount;
        write(Control.PING, "PING", Long.toString(firstNumber + writtenCount));
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
        if ((flags & InFlight.ASKING) != 0) {
            // Right before the call: it counts for one command.
            write(new Asking(refusal -> askingRefusal = refusal), "ASKING");
        }
        byte written;
        try {
            written = writer.write(out(), call, flags, firstNumber + writtenCount);
        } catch (RuntimeException | Error bug) {
            // Nothing was written, so the stream is intact and only this call fails.
            log.error("Call of {} could not be written", call.script, bug);
            calls.fault(
                    call, new Fault(Kind.PROTOCOL, false, settings.node(), "the call could not be written: " + bug));
            return;
        }
        written();
        add(call, written);
    }

    private void add(Object command, byte flags) {
        if (!expectsAnswer()) {
            expectsSinceNanos = runtime.nanos();
        }
        inFlight.add(command, flags);
        writtenCount++;
    }
}
