package io.holdfast.lock.rules.bad.netty.connection;

import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/** Could not be used where the jar is missing, also for plain connections. */
public class ConnectionWithTheOptionalHandler {
    @Nullable
    SslHandler handler;
}
