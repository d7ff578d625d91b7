package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.Session;
import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.netty.sentinel.Testimony.Other;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Sentinel: questions about one primary, and the messages that it was replaced.
 *
 * <p>The answers of a round carry no numbers. A PING with a number ends them, so that a lost or doubled answer is noticed
 * before what was said counts (rule 70). A Sentinel before 7.0 takes no number; there the PONG has to come in its place.
 */
final class SentinelSession extends Session {

    /** What the owner of the connection hears. */
    interface Owner {

        void said(Testimony testimony);

        /** A Sentinel says that this primary, or another one, was replaced. */
        void switched(String message);
    }

    private enum Question {
        ADDRESS_BEFORE,
        PRIMARY,
        ADDRESS_AFTER,
        OTHERS,
        OWN_ID,
        END_OF_ROUND,
        SUBSCRIBE,
        PING,
        LOGIN
    }

    private static final String CHANNEL = "+switch-master";
    private static final int MOST_OTHERS = 64;
    private static final long MOST_FIRST_NUMBER = 1L << 32;

    private final String primaryName;
    private final Owner owner;
    private final ArrayDeque<Question> unanswered = new ArrayDeque<>();
    private final ArrayDeque<LoginOutcome> logins = new ArrayDeque<>();
    /** What the PINGs without an answer are to be answered. */
    private final ArrayDeque<String> pings = new ArrayDeque<>();

    private long expectsSinceNanos;
    private long latestPing;
    private boolean takesNumbers = true;
    private boolean asking;

    // What was said in the round that is under way.

    private @Nullable RespValue addressBefore;
    private @Nullable RespValue primary;
    private @Nullable RespValue addressAfter;
    private @Nullable RespValue others;
    private @Nullable RespValue ownId;

    SentinelSession(ConnectionSettings settings, Runtime runtime, String primaryName, Owner owner) {
        super(settings, runtime);
        this.primaryName = primaryName;
        this.owner = owner;
        this.latestPing = runtime.random(MOST_FIRST_NUMBER);
    }

    /** Listens for messages. In RESP2 a connection that does can't ask any more, so there it does not. */
    void listen() {
        if (speaksResp3()) {
            ask(Question.SUBSCRIBE, "SUBSCRIBE", CHANNEL);
            flush();
        }
    }

    /** Whether a round is under way. */
    boolean isAsking() {
        return asking;
    }

    /** Asks all there is to know; one round at a time. */
    void ask() {
        asking = true;
        ask(Question.ADDRESS_BEFORE, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", primaryName);
        ask(Question.PRIMARY, "SENTINEL", "MASTER", primaryName);
        ask(Question.ADDRESS_AFTER, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", primaryName);
        ask(Question.OTHERS, "SENTINEL", "SENTINELS", primaryName);
        ask(Question.OWN_ID, "SENTINEL", "MYID");
        ping(Question.END_OF_ROUND);
        flush();
    }

    @Override
    public boolean logIn(Login newLogin, LoginOutcome outcome) {
        logins.add(outcome);
        ask(Question.LOGIN, "AUTH", newLogin.user(), newLogin.password());
        flush();
        return true;
    }

    @Override
    protected boolean onReply(RespValue reply) {
        if (reply.kind() == RespValue.Kind.PUSH) {
            return onPush(reply);
        }
        Question question = unanswered.poll();
        if (question == null) {
            outOfTurn(reply);
            return false;
        }
        switch (question) {
            case ADDRESS_BEFORE -> addressBefore = reply;
            case PRIMARY -> primary = reply;
            case ADDRESS_AFTER -> addressAfter = reply;
            case OTHERS -> others = reply;
            case OWN_ID -> ownId = reply;
            case END_OF_ROUND -> onEndOfRound(reply);
            case SUBSCRIBE -> onSubscribed(reply);
            case PING -> checkPong(reply);
            case LOGIN -> onLogin(reply);
        }
        return true;
    }

    @Override
    protected boolean expectsAnswer() {
        return !unanswered.isEmpty();
    }

    @Override
    protected long expectsSince() {
        return expectsSinceNanos;
    }

    @Override
    protected void ping() {
        ping(Question.PING);
        flush();
    }

    @Override
    protected void onEnd(Fault fault) {
        unanswered.clear();
        logins.clear();
        pings.clear();
    }

    /** Whether it is the answer to a request, as opposed to news. */
    private boolean onPush(RespValue push) {
        String what = push.size() > 0 ? String.valueOf(push.text(0)) : "";
        if (what.equals("subscribe") && unanswered.peek() == Question.SUBSCRIBE) {
            unanswered.remove();
            return true;
        }
        if (what.equals("message")) {
            owner.switched(String.valueOf(push.text(2)));
        }
        return false;
    }

    /** A user may not be allowed to listen; asking from time to time goes on. */
    private void onSubscribed(RespValue reply) {
        if (!reply.isError()) {
            outOfTurn(reply);
        }
    }

    private boolean checkPong(RespValue reply) {
        String expected = pings.remove();
        // A refusal is a sign of life too.
        if (reply.isError() || expected.equals(reply.text())) {
            return true;
        }
        outOfTurn(reply);
        return false;
    }

    /** The words of a refusal are not passed on: they may quote the password. */
    private void onLogin(RespValue reply) {
        LoginOutcome outcome = logins.remove();
        if (reply.isError()) {
            outcome.loginRefused();
        } else if ("OK".equals(reply.text())) {
            outcome.loginTaken();
        } else {
            outOfTurn(reply);
        }
    }

    private void onEndOfRound(RespValue pong) {
        if (!checkPong(pong)) {
            return;
        }
        if (takesNumbers && isRefusedNumber(pong)) {
            takesNumbers = false;
            ask();
            return;
        }
        asking = false;
        Fault refusal = pong.isError() ? ErrorReplies.fault(settings.node(), pong) : refusal();
        if (refusal == null) {
            owner.said(testimony());
        } else {
            abort(refusal);
        }
    }

    /** Why this peer will not tell who the primary is; null if it does. */
    private @Nullable Fault refusal() {
        for (RespValue answer : List.of(said(addressBefore), said(addressAfter), said(primary))) {
            if (answer.isError() && !isUnknownName(answer)) {
                Fault fault = ErrorReplies.fault(settings.node(), answer);
                return fault.kind() == Kind.SERVER_ERROR
                        ? new Fault(
                                Kind.NOT_REDIS,
                                false,
                                settings.node(),
                                "this is no Sentinel: it answers " + fault.detail() + " (expected: the address of a"
                                        + " Sentinel)")
                        : fault;
            }
        }
        return null;
    }

    private Testimony testimony() {
        RespValue before = said(addressBefore);
        RespValue after = said(addressAfter);
        RespValue master = said(primary);
        boolean knowsNone = before.isNull() && after.isNull();
        Target.Host named = named(before);
        Word word = null;
        if (named != null && named.equals(named(after)) && !master.isError()) {
            word = new Word(named, number(master.entry("config-epoch")));
        }
        String id = said(ownId).text();
        return new Testimony(
                settings.node(),
                id == null || id.isEmpty() || said(ownId).isError() ? settings.node() : id,
                word,
                knowsNone,
                others(said(others)));
    }

    private static boolean isRefusedNumber(RespValue pong) {
        return pong.isError() && pong.errorText().contains("wrong number of arguments");
    }

    private static boolean isUnknownName(RespValue error) {
        String text = error.errorText();
        return text.contains("No such master") || text.contains("No such primary");
    }

    private static Target.@Nullable Host named(RespValue address) {
        return address.isList() && address.size() == 2 ? Target.Host.announced(address.text(0), address.text(1)) : null;
    }

    /** Other Sentinels. What a Sentinel may not tell, or says in an unknown form, is left out. */
    private static List<Other> others(RespValue list) {
        List<Other> others = new ArrayList<>();
        for (int i = 0; i < Math.min(list.size(), MOST_OTHERS); i++) {
            RespValue each = list.get(i);
            Target.Host address = Target.Host.announced(each.entry("ip"), each.entry("port"));
            if (address != null) {
                others.add(new Other(each.entry("runid"), address));
            }
        }
        return others;
    }

    private static long number(@Nullable String digits) {
        try {
            return Long.parseLong(String.valueOf(digits));
        } catch (NumberFormatException none) {
            return -1;
        }
    }

    private static RespValue said(@Nullable RespValue answer) {
        return Objects.requireNonNull(answer, "the end of a round without its answers");
    }

    private void outOfTurn(RespValue reply) {
        abort(new Fault(Kind.PROTOCOL, true, settings.node(), "an answer out of turn: " + Printable.of(reply)));
    }

    private void ping(Question question) {
        if (takesNumbers) {
            String number = Long.toString(++latestPing);
            pings.add(number);
            ask(question, "PING", number);
        } else {
            pings.add("PONG");
            ask(question, "PING");
        }
    }

    private void ask(Question question, String... command) {
        if (unanswered.isEmpty()) {
            expectsSinceNanos = runtime.nanos();
        }
        unanswered.add(question);
        write(command);
    }
}
