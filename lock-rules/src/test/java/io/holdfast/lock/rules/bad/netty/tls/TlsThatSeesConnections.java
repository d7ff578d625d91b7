package io.holdfast.lock.rules.bad.netty.tls;

import io.holdfast.lock.rules.bad.netty.connection.ConnectionWithTheOptionalHandler;
import org.jspecify.annotations.Nullable;

/** TLS secures channels, whatever they are for. */
public class TlsThatSeesConnections {
    @Nullable
    ConnectionWithTheOptionalHandler connection;
}
