package io.holdfast.lock.spi.client;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * How {@link LockClient} finds the module that can talk to servers. Applications have no use for it; a transport extends
 * it, makes its clients by {@link Clients}, and is found by {@link java.util.ServiceLoader}.
 */
public abstract class LockProvider {

    protected LockProvider() {}

    /** Connects to one server. */
    public abstract LockClient connect(String url, ClientOptions options);

    /**
     * Connects to one server without blocking. The future is completed on a thread that may block; a client whose future
     * was cancelled is closed.
     */
    public abstract CompletableFuture<LockClient> connectAsync(String url, ClientOptions options);

    /** Connects to several independent servers, of which a majority decides. */
    public abstract LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum);

    /** As {@link #connectQuorum}, without blocking. */
    public abstract CompletableFuture<LockClient> connectQuorumAsync(
            List<String> urls, ClientOptions options, QuorumOptions quorum);
}
