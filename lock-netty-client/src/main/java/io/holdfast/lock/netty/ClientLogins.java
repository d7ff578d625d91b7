package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.credentials.FixedLogins;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.netty.credentials.ProvidedLogins;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Who a client is to each of its servers: what its provider says, one for all, or what their addresses say. */
final class ClientLogins {

    private final NettyRuntime runtime;
    private final @Nullable Logins provided;

    ClientLogins(ClientOptions options, NettyRuntime runtime) {
        this.runtime = runtime;
        this.provided = options.credentials().isPresent()
                ? new ProvidedLogins(options.credentials().get(), runtime, runtime.guests(), options.clientName())
                : null;
    }

    Logins of(RedisUri server) {
        return provided == null ? new FixedLogins(server.user(), server.password()) : provided;
    }

    /** Ends a provider's call that is under way, and then the client's threads. */
    CompletionStage<Void> closeAll() {
        if (provided != null) {
            provided.close();
        }
        return runtime.close();
    }
}
