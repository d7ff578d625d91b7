package io.holdfast.lock.rules.bad.netty.resp;

import io.holdfast.lock.rules.bad.netty.connection.ConnectionInACycle;
import org.jspecify.annotations.Nullable;

/** One half of a cycle. */
public class CodecThatSeesConnections {
    @Nullable
    ConnectionInACycle connection;
}
