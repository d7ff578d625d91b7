package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.InfoText;
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
import java.util.function.Consumer;
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

    /**
     * So many requests may be in flight before ordinary ones have to wait. Nothing goes past a request that is written, so
     * this bounds how long an urgent one is on its way; it is enough to keep a server busy that is a tenth of a second away.
     */
    private static final int MOST_BEFORE_ORDINARY = 4_096;

    private final Owner owner;
    private final Notices notices;
    private final Calls calls;
    private final Traffic traffic;
    private final CallWriter writer;

    /** The number of the command that loaded each script last, by its form. */
    private final Map<Script, Long> loads = new HashMap<>();

    /** The errors of the oldest commands in flight, which are not believed yet. */
    private final Queue<RespValue> heldErrors = new ArrayDeque<>();

    private final ServerTime time;

    private boolean loadForbidden;
    /** What the server said to the ASKING right before the next call; null if it took that. */
    private @Nullable RespValue askingRefusal;

    private long latestPing;
    /** A PING was refused: nothing is written until every command has its answer. */
    private boolean countingAnswers;

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
        super(settings, runtime, Session::isPush, notices, true);
        this.notices = notices;
        this.latestPing = inFlight.nextNumber() - 1;
        this.calls = calls;
        this.time = new ServerTime(settings.node(), runtime, calls, this::askTime, this::writeAgain);
        this.writer = new CallWriter(numberedScripts, () -> shardsMessages, time);
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
        say(new Command(ServerTime::isTime, time::told), "TIME");
        flush();
    }

    void flushCalls() {
        flush();
    }

    /** AUTH takes its place in the stream; it does not wait for room, and nothing waits for it. */
    @Override
    void logIn(Login login, Consumer<RespValue> answered) {
        if (countingAnswers) {
            waitingLogin = () -> logIn(login, answered);
        } else {
            super.logIn(login, answered);
        }
    }

    /** A server that was demoted does not say so to calls that write nothing, as the calls of waiters do. */
    @Override
    void askRole() {
        if (!roleForbidden && !countingAnswers && leaving == null) {
            say(new Command(CommandSession::isLines, this::heardRole), "INFO", "replication");
            flush();
        }
    }

    /** No other command is answered with lines of text, so that this answer is its own (rule 70). */
    private static boolean isLines(RespValue reply, long number) {
        String text = reply.text();
        return text != null && (text.isEmpty() || text.indexOf('\n') >= 0);
    }

    private void heardRole(RespValue reply) {
        if (reply.isError()) {
            roleForbidden |= !ErrorReplies.kind(reply).isTransient();
            return;
        }
        ServerPart part = new ServerPart();
        part.learn("", InfoText.field(reply.text(), "role:"));
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
    void onRead() {
        owner.readBegins();
    }

    @Override
    void onReadComplete() {
        owner.readEnds();
    }

    @Override
    void onWritabilityChanged() {
        if (isWritable()) {
            owner.canWrite();
        }
    }

    @Override
    public boolean expectsAnswer() {
        return inFlight.size() > heldErrors.size();
    }

    @Override
    boolean expectsNumber() {
        return expectsAnswer() && unanswered() instanceof ScriptCall && !isPlain();
    }

    @Override
    public void ping() {
        latestPing = inFlight.nextNumber();
        super.ping();
    }

    @Override
    boolean onReply(RespValue reply) {
        if (reply.kind() == RespValue.Kind.PUSH) {
            return false;
        }
        if (!expectsAnswer()) {
            outOfTurn(reply);
            return false;
        }
        boolean withoutNumber = reply.isError() && decoder.number() == RespDecoder.NO_NUMBER;
        if (withoutNumber || (unanswered() == Command.PING && Command.isBarePong(reply))) {
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
    void onEnd(Fault fault) {
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
        countingAnswers |= unanswered() == Command.PING;
        heldErrors.add(error);
        if (countingAnswers) {
            if (!expectsAnswer()) {
                countingAnswers = false;
                believeHeldErrors();
            }
        } else if (latestPing < unansweredNumber()) {
            latestPing = inFlight.nextNumber();
            writePing(Command.PING);
        }
    }

    /** Takes an answer that shows by itself whose it is, and with it all errors before it. */
    private void take(RespValue reply) {
        if (!isOwn(reply)) {
            outOfTurn(reply);
            return;
        }
        countingAnswers = false;
        believeHeldErrors();
        long number = unansweredNumber();
        byte flags = inFlight.oldestFlags();
        Object command = inFlight.remove();
        if (reply.isError()) {
            onError(command, flags, number, reply);
        } else if (command instanceof ScriptCall call && decoder.leftOutBytes() > 0) {
            calls.fault(call, tooLong(decoder.leftOutBytes()));
        } else if (command instanceof ScriptCall call && !calls.reply(call, reply)) {
            Fault fault = mixedUp("an answer that " + call.script + " does not give: " + reply);
            calls.fault(call, fault);
            abort(fault);
        } else if (command instanceof Command own) {
            own.answered().accept(reply);
        }
    }

    private boolean isOwn(RespValue reply) {
        long number = unansweredNumber();
        if (isPlain()) {
            return CallWriter.isOfCommand(reply);
        }
        return unanswered() instanceof Command own ? own.check().isOwn(reply, number) : decoder.number() == number;
    }

    private void believeHeldErrors() {
        while (!heldErrors.isEmpty()) {
            RespValue error = heldErrors.remove();
            long number = inFlight.number(0);
            byte flags = inFlight.oldestFlags();
            onError(inFlight.remove(), flags, number, error);
        }
    }

    private void onError(Object command, byte flags, long number, RespValue error) {
        if (command instanceof ScriptCall call) {
            onCallError(call, flags, number, error);
        } else {
            ((Command) command).answered().accept(error);
        }
    }

    private void onCallError(ScriptCall call, byte flags, long number, RespValue error) {
        Fault fault = ErrorReplies.fault(settings.node(), error);
        if (fault.kind() == Kind.SCRIPT_MISSING && mayResend(flags)) {
            resend(call, flags, number);
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

    private long unansweredNumber() {
        return inFlight.number(heldErrors.size());
    }

    private boolean mayResend(byte flags) {
        boolean anotherWay = loadForbidden && (flags & InFlight.WITH_SOURCE) == 0;
        return (flags & InFlight.OVERDUE) == 0 && ((flags & InFlight.RESENT) == 0 || anotherWay);
    }

    private void resend(ScriptCall call, byte flags, long number) {
        if (loadForbidden) {
            write(call, (byte) (flags | InFlight.RESENT | InFlight.WITH_SOURCE));
            return;
        }
        Script form = writer.form(call.script);
        Long loaded = loads.get(form);
        if (loaded == null || loaded < number) {
            load(form);
        }
        write(call, (byte) (flags | InFlight.RESENT));
    }

    private void load(Script form) {
        log.debug("Loading script {} at {}", form, settings.node());
        loads.put(form, inFlight.nextNumber());
        say(
                new Command((reply, number) -> form.sha1().equals(reply.text()), reply -> onLoaded(form, reply)),
                "SCRIPT",
                "LOAD",
                form.source());
    }

    private void onLoaded(Script form, RespValue reply) {
        if (!reply.isError()) {
            return;
        }
        String why = ErrorReplies.detail(reply);
        Kind kind = ErrorReplies.kind(reply);
        if (kind == Kind.NOPERM || kind == Kind.SCRIPT_REFUSED || kind == Kind.SERVER_ERROR) {
            // Not allowed, or not known: SCRIPT may have another name there, or none.
            loadForbidden = true;
            notices.noScriptLoad(why);
        } else {
            // The call behind it meets the same obstacle, and says so.
            log.debug("{} did not load {}: {}", settings.node(), form, why);
        }
    }

    /** Gives this connection up as soon as all answers are in: what is behind the address may have changed. */
    private void leave(Fault reason) {
        if (leaving == null) {
            leaving = new Fault(reason.kind(), true, reason.node(), reason.detail());
        }
    }

    private void write(ScriptCall call, byte flags) {
        if ((flags & InFlight.ASKING) != 0) {
            // Right before the call: it counts for one command.
            say(new Command(Command.OK, reply -> askingRefusal = reply.isError() ? reply : null), "ASKING");
        }
        byte written;
        try {
            written = writer.write(out(), call, flags, inFlight.nextNumber());
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
}
