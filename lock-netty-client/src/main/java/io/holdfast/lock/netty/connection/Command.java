package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import java.util.function.Consumer;

/**
 * A command of a connection's own, in flight, which checks its own reply (rule 70). It has no deadline, and hears nothing if
 * its connection ends before.
 *
 * @param answered takes the reply: the command's own answer, or an error
 */
public record Command(Check check, Consumer<RespValue> answered) {

    /** What tells a command's own answer from another's. */
    public interface Check {

        /**
         * Whether a reply that is no error is the command's own.
         *
         * @param number the command's number: its place in the stream of commands, counted from a random one
         */
        boolean isOwn(RespValue reply, long number);
    }

    /** For a question of which nothing is believed before a later PING has its own answer. */
    static final Check ANY = (reply, number) -> reply.kind() != RespValue.Kind.PUSH;

    /** For AUTH and ASKING, of each of which one is in flight at a time. */
    public static final Check OK = (reply, number) -> "OK".equals(reply.text());

    /** For a PING with its number. */
    static final Check NUMBER = (reply, number) -> Long.toString(number).equals(reply.text());

    /**
     * A PING with its number that only asks for a sign of life: a refusal is one too, and so is the PONG of a proxy that answers
     * for itself. In RESP2 a connection with subscriptions is answered {@code pong, <number>}.
     */
    static final Command PING = new Command(
            (reply, number) -> isBarePong(reply)
                    || NUMBER.isOwn(reply.isList() && reply.size() == 2 ? reply.get(1) : reply, number),
            reply -> {});

    /** What is said to PING by those that do not take its number: it shows no more than a refusal does. */
    static boolean isBarePong(RespValue reply) {
        return "PONG".equals(reply.text());
    }
}
