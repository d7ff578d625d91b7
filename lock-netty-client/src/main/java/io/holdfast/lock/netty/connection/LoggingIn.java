package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;

/**
 * AUTH in flight among the script calls. One is in flight at a time and no other command is answered with OK, so that this
 * answer is its own (rule 70).
 */
final class LoggingIn implements Control {

    private final Session.LoginOutcome outcome;

    LoggingIn(Session.LoginOutcome outcome) {
        this.outcome = outcome;
    }

    @Override
    public boolean isAnswer(RespValue reply, long number) {
        return "OK".equals(reply.text());
    }

    @Override
    public void answered() {
        outcome.loginTaken();
    }

    /** The error is not passed on: its words may quote the password. */
    @Override
    public void refused(RespValue error) {
        outcome.loginRefused();
    }
}
