package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;

/** What calls wait for, and how a server is asked about it. */
interface Watched {

    SharedKeys keys();

    /** The script that looks at it. */
    Script script();

    /** Writes the keys and arguments of a look. */
    void write(Args out);

    /** What an answer says. */
    Object read(Reply reply);

    default Named named() {
        return keys().named();
    }
}
