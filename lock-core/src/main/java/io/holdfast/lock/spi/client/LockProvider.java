package io.holdfast.lock.spi.client;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * How {@link LockClient} finds the module that keeps the locks. Applications have no use for it; a transport extends
 * it, makes its clients by {@link Clients}, and is found by {@link java.util.ServiceLoader}.
 */
public abstract class LockProvider {

    protected LockProvider() {}

    /**
     * The provider that serves an address: the one that claims its scheme, else the first that claims none.
     *
     * @throws IllegalStateException if there is no such provider, or its module is of another version than this one
     */
    public static LockProvider serving(String url) {
        String scheme = url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
        LockProvider any = null;
        for (LockProvider each : ServiceLoader.load(LockProvider.class, LockProvider.class.getClassLoader())) {
            Set<String> claimed = each.schemes();
            if (claimed.contains(scheme)) {
                return ofOneVersion(each);
            }
            any = any == null && claimed.isEmpty() ? each : any;
        }
        boolean memory = scheme.equals("memory");
        if (any == null || memory) {
            String missing = memory ? "lock-memory" : "lock-netty-client";
            throw new IllegalStateException(
                    "no lock provider: add " + missing + " to the class path or the module path");
        }
        return ofOneVersion(any);
    }

    /** Modules of two versions link, and fail at the first call that one of them lacks. Transports of others have versions of their own. */
    private static LockProvider ofOneVersion(LockProvider found) {
        Class<?> core = LockProvider.class;
        Class<?> transport = found.getClass();
        String version = core.getPackage().getImplementationVersion();
        String other = transport.getPackage().getImplementationVersion();
        if (version != null
                && other != null
                && !version.equals(other)
                && transport.getName().startsWith("io.holdfast.lock.")) {
            throw new IllegalStateException(Printable.message("two versions of Holdfast are on the class path: "
                    + core.getProtectionDomain().getCodeSource().getLocation() + " and "
                    + transport.getProtectionDomain().getCodeSource().getLocation()
                    + " (expected: one version of all modules, by holdfast-bom)"));
        }
        return found;
    }

    /**
     * The provider that serves all of these addresses.
     *
     * @throws IllegalArgumentException if there is none for all of them
     */
    public static LockProvider servingAll(List<String> urls) {
        LockProvider first = serving(urls.isEmpty() ? "" : urls.get(0));
        for (int i = 1; i < urls.size(); i++) {
            if (serving(urls.get(i)).getClass() != first.getClass()) {
                throw new IllegalArgumentException("urls: number " + (i + 1)
                        + " is not served by the provider of the first (expected: nodes of one kind)");
            }
        }
        return first;
    }

    /**
     * The schemes of addresses that this provider serves and no other, in lower case: {@code memory} for {@code memory:test}.
     * By default none: it serves each address whose scheme no provider claims.
     */
    public Set<String> schemes() {
        return Set.of();
    }

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
