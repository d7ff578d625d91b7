package io.holdfast.lock.rules.bad.netty.guest;

import io.holdfast.lock.rules.bad.netty.connection.ConnectionWithTheOptionalHandler;
import org.jspecify.annotations.Nullable;

/** Code of users is called in one way, whatever it is for. */
public class GuestThatSeesConnections {
    @Nullable
    ConnectionWithTheOptionalHandler connection;
}
