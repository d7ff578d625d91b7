package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * Something that a server tells a client: an answer to the oldest request without one, or news.
 *
 * @param error what kind of error it is; null for a reply, and for news
 * @param words what the error says, if that matters; else null
 * @param reply what a script returned; null for an error, and for what says nothing but that it was done
 * @param channel the channel of a message; null for answers
 * @param text what a message says; null for answers, and if a subscription was ended by the server
 */
record Answer(
        Fault.@Nullable Kind error,
        @Nullable String words,
        @Nullable Reply reply,
        @Nullable LuaString channel,
        @Nullable LuaString text) {

    static final Answer DONE = new Answer(null, null, null, null, null);

    static Answer of(Reply reply) {
        return new Answer(null, null, reply, null, null);
    }

    static Answer error(Fault.Kind kind) {
        return new Answer(kind, null, null, null, null);
    }

    static Answer error(Fault.Kind kind, String words) {
        return new Answer(kind, words, null, null, null);
    }

    /** The server has ended a subscription without being asked: the channel's slot is at another node. */
    static Answer ended(LuaString channel) {
        return new Answer(null, null, null, channel, null);
    }

    static Answer message(LuaString channel, LuaString text) {
        return new Answer(null, null, null, channel, text);
    }

    boolean isMessage() {
        return channel != null;
    }

    @Override
    public String toString() {
        if (isMessage()) {
            return text == null ? "end of " + channel : "message on " + channel + ": " + text;
        }
        return error != null ? "-" + (words == null ? error : words) : reply == null ? "+OK" : reply.toString();
    }
}
