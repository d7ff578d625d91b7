package memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.spi.client.LockProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Makes clients whose locks are in memory: those of one address share them. */
public final class MemoryProvider extends LockProvider {

    private static final Map<String, MemoryStore> STORES = new ConcurrentHashMap<>();

    @Override
    public LockClient connect(String url, ClientOptions options) {
        return Clients.over(new MemoryBackend(url, STORES.computeIfAbsent(url, any -> new MemoryStore())), options);
    }

    @Override
    public CompletableFuture<LockClient> connectAsync(String url, ClientOptions options) {
        return CompletableFuture.completedFuture(connect(url, options));
    }

    @Override
    public LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum) {
        throw new IllegalArgumentException("urls: " + urls.size() + " (expected: one store)");
    }

    @Override
    public CompletableFuture<LockClient> connectQuorumAsync(
            List<String> urls, ClientOptions options, QuorumOptions quorum) {
        return CompletableFuture.failedFuture(
                new IllegalArgumentException("urls: " + urls.size() + " (expected: one store)"));
    }
}
