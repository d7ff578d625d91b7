package io.holdfast.lock.tests.rules.bad.netty.resp;

import io.holdfast.lock.tests.rules.bad.netty.connection.ConnectionInACycle;
import org.jspecify.annotations.Nullable;

/** One half of a cycle. */
public class CodecThatSeesConnections {
    @Nullable
    ConnectionInACycle connection;
}
