package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * A connection on which questions are asked, and answered in their order.
 *
 * <p>Answers carry no numbers. A PING with a number shows that none was lost or doubled before it (rule 70): what counts only
 * then goes with the answer to the PING.
 */
public abstract class AskingSession extends Session {

    private static final long MOST_FIRST_NUMBER = 1L << 32;
    private static final String PONG = "PONG";

    /** What takes the answers, in the order of the questions. */
    private final ArrayDeque<Consumer<RespValue>> unanswered = new ArrayDeque<>();

    private long expectsSinceNanos;
    private long latestPing;
    private boolean numbersPings = true;

    protected AskingSession(ConnectionSettings settings, Runtime runtime) {
        super(settings, runtime);
        this.latestPing = runtime.random(MOST_FIRST_NUMBER);
    }

    /** Asks, with the next flush. */
    protected final void ask(Consumer<RespValue> answered, String... command) {
        if (unanswered.isEmpty()) {
            expectsSinceNanos = runtime.nanos();
        }
        unanswered.add(answered);
        write(command);
    }

    /** Asks for a sign of life. What takes it hears of the right one, or of a refusal, which is a sign of life too. */
    protected final void ping(Consumer<RespValue> answered) {
        String expected = numbersPings ? Long.toString(++latestPing) : PONG;
        Consumer<RespValue> checked = pong -> {
            if (pong.isError() || expected.equals(pong.text())) {
                answered.accept(pong);
            } else {
                outOfTurn(pong);
            }
        };
        if (numbersPings) {
            ask(checked, "PING", expected);
        } else {
            ask(checked, "PING");
        }
    }

    /** The server takes no number: from now on a PONG has to come in its place, and nothing more is known. */
    protected final void numberNoPings() {
        numbersPings = false;
    }

    /** Whether pings carry numbers. */
    protected final boolean numbersPings() {
        return numbersPings;
    }

    /** Takes what the server pushes; whether that answers a question. */
    protected boolean onPush(RespValue push) {
        return false;
    }

    /** Whether the next answer is for this. */
    protected final boolean isNext(Consumer<RespValue> answered) {
        return unanswered.peek() == answered;
    }

    /** The next question was answered by what the server has pushed. */
    protected final void answeredByPush() {
        unanswered.remove();
    }

    /** What is unanswered still was not to be answered before now. */
    protected final void expectsFromNow() {
        expectsSinceNanos = runtime.nanos();
    }

    /** Ends the connection: this answers nothing that was asked. */
    protected final void outOfTurn(RespValue reply) {
        abort(new Fault(Kind.PROTOCOL, true, settings.node(), "an answer out of turn: " + Printable.of(reply)));
    }

    @Override
    public boolean logIn(Login newLogin, LoginOutcome outcome) {
        ask(reply -> onLogin(reply, outcome), "AUTH", newLogin.user(), newLogin.password());
        flush();
        return true;
    }

    /** The words of a refusal are not passed on: they may quote the password. */
    private void onLogin(RespValue reply, LoginOutcome outcome) {
        if (reply.isError()) {
            outcome.loginRefused();
        } else if ("OK".equals(reply.text())) {
            outcome.loginTaken();
        } else {
            outOfTurn(reply);
        }
    }

    @Override
    protected final boolean onReply(RespValue reply) {
        if (reply.kind() == RespValue.Kind.PUSH) {
            return onPush(reply);
        }
        Consumer<RespValue> answered = unanswered.poll();
        if (answered == null) {
            outOfTurn(reply);
            return false;
        }
        answered.accept(reply);
        return true;
    }

    @Override
    protected final boolean expectsAnswer() {
        return !unanswered.isEmpty();
    }

    @Override
    protected long expectsSince() {
        return expectsSinceNanos;
    }

    @Override
    protected final void ping() {
        ping(pong -> {});
        flush();
    }

    @Override
    protected final void onEnd(Fault fault) {
        unanswered.clear();
    }
}
