package io.holdfast.lock.spi;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.spi.client.LockProvider;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transport that connects to nothing. */
public final class OtherVersionProvider extends LockProvider {

    @Override
    public LockClient connect(String url, ClientOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<LockClient> connectAsync(String url, ClientOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<LockClient> connectQuorumAsync(
            List<String> urls, ClientOptions options, QuorumOptions quorum) {
        throw new UnsupportedOperationException();
    }
}
