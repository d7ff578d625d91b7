package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import java.util.List;

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

    /** How long after what was seen it may change without a message; {@link #NEVER} if it does not. */
    default long changesAfterNanos(Object seen) {
        return NEVER;
    }
}
