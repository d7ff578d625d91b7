package io.holdfast.lock.rules.bad.netty.connection;

import io.holdfast.lock.rules.bad.netty.resp.CodecThatSeesConnections;
import org.jspecify.annotations.Nullable;

/** The other half. */
public class ConnectionInACycle {
    @Nullable
    CodecThatSeesConnections codec;
}
