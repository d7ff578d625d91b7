package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import java.util.List;
import java.util.Optional;

/** What calls wait for, and how a server is asked about it. */
public interface Watched {

    /** Something changes by messages alone. */
    long NEVER = Long.MAX_VALUE;

    /** What it is, for messages. */
    Named named();

    /** Its key as a text: no other thing has the same. */
    String key();

    int slot();

    /** Where messages tell that it has changed. */
    List<byte[]> channels();

    /** The script that looks at it. */
    Script script();

    /** Writes the keys and arguments of a look. */
    void write(Args out);

    /** What an answer says. */
    Object read(Reply reply);

    /**
     * What the answers of several nodes say together; empty if they do not decide it.
     *
     * @param seen those that have come
     * @param nodes how many nodes there are
     */
    default Optional<Object> agreed(List<Object> seen, int nodes) {
        throw new UnsupportedOperationException(named() + ": nothing that several nodes keep");
    }

    /** How long after what was seen it may change without a message; {@link #NEVER} if it does not. */
    default long changesAfterNanos(Object seen) {
        return NEVER;
    }
}
