package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;

/** A command of the connection's own, in flight among the script calls. It has no deadline and needs no end. */
interface Control {

    /** PING and a number, which is the whole answer. */
    Control PING = new Control() {

        @Override
        public boolean isAnswer(RespValue reply, long number) {
            return Long.toString(number).equals(reply.text());
        }

        @Override
        public void refused(RespValue error) {
            // A refusal is a sign of life too.
        }
    };

    /** What a proxy says that answers PING itself: a sign of life, which shows no more than a refusal does. */
    static boolean isBarePong(RespValue reply) {
        return "PONG".equals(reply.text());
    }

    /** Whether an answer that is no error is this command's own. */
    boolean isAnswer(RespValue reply, long number);

    /** Its answer has come. */
    default void answered() {
        // Most commands are sent for their effect, or for the answer's sake alone.
    }

    /** The server would not do it. */
    void refused(RespValue error);
}
