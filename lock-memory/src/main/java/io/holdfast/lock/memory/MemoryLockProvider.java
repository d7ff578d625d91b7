package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.spi.client.LockProvider;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Serves the addresses {@code memory:} and {@code memory:name}, and no other. */
public final class MemoryLockProvider extends LockProvider {

    /** Found by {@link java.util.ServiceLoader}. */
    public MemoryLockProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(NamedStores.SCHEME);
    }

    @Override
    public LockClient connect(String url, ClientOptions options) {
        return NamedStores.connect(url, Objects.requireNonNull(options, "options"));
    }

    @Override
    public CompletableFuture<LockClient> connectAsync(String url, ClientOptions options) {
        LockClient client = connect(url, options);
        CompletableFuture<LockClient> promise = new CompletableFuture<>();
        try {
            InMemoryLocks.of(client).data().runCallback(() -> {
                if (!promise.complete(client)) {
                    client.close();
                }
            });
        } catch (RuntimeException refused) {
            client.close();
            throw refused;
        }
        return promise;
    }

    @Override
    public LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        throw noQuorum();
    }

    @Override
    public CompletableFuture<LockClient> connectQuorumAsync(
            List<String> urls, ClientOptions options, QuorumOptions quorum) {
        throw noQuorum();
    }

    private static IllegalArgumentException noQuorum() {
        return new IllegalArgumentException("urls: stores in memory (expected: servers; stores of one process fail"
                + " together, so no majority of them is left to decide)");
    }
}
