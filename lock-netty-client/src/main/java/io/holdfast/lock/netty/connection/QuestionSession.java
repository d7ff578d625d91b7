package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Runtime;
import java.util.List;
import java.util.function.Consumer;

/** A connection for a few questions, which are asked in one go. */
final class QuestionSession extends Session {

    private final Consumer<RespValue> answered;

    QuestionSession(ConnectionSettings settings, Runtime runtime, Consumer<RespValue> answered) {
        super(settings, runtime);
        this.answered = answered;
    }

    void ask(List<String[]> questions) {
        questions.forEach(this::write);
        flush();
    }

    /** It ends sooner than credentials do. */
    @Override
    public boolean logIn(Login newLogin, LoginOutcome outcome) {
        return false;
    }

    @Override
    protected boolean onReply(RespValue reply) {
        if (reply.kind() != RespValue.Kind.PUSH) {
            answered.accept(reply);
        }
        return true;
    }

    /** Its time is the inquiry's: there is no heartbeat to wait for an answer. */
    @Override
    protected boolean expectsAnswer() {
        return false;
    }

    @Override
    protected long expectsSince() {
        return 0;
    }

    @Override
    protected void ping() {}

    @Override
    protected void onEnd(Fault fault) {}
}
