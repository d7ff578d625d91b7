package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * Something that a server tells a client: an answer to the oldest request without one, or news.
 *
 * @param error what kind of error it is; null for a reply, and for news
 * @param reply what a script returned; null for an error, and for what says nothing but that it was done
 * @param channel the channel of a message; null for answers
 * @param text what a message says; null for answers
 */
record Answer(
        Fault.@Nullable Kind error, @Nullable Reply reply, @Nullable LuaString channel, @Nullable LuaString text) {

    static final Answer DONE = new Answer(null, null, null, null);

    static Answer of(Reply reply) {
        return new Answer(null, reply, null, null);
    }

    static Answer error(Fault.Kind kind) {
        return new Answer(kind, null, null, null);
    }

    static Answer message(LuaString channel, LuaString text) {
        return new Answer(null, null, channel, text);
    }

    boolean isMessage() {
        return channel != null;
    }

    @Override
    public String toString() {
        if (isMessage()) {
            return "message on " + channel + ": " + text;
        }
        return error != null ? "-" + error : reply == null ? "+OK" : reply.toString();
    }
}
