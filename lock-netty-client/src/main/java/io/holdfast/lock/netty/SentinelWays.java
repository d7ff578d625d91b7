package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.netty.address.AnnouncedAddresses;
import io.holdfast.lock.netty.address.AnnouncedWhereabouts;
import io.holdfast.lock.netty.address.NameService;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.connection.ConnectionNews;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.credentials.FixedLogins;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.netty.credentials.ProvidedLogins;
import io.holdfast.lock.netty.sentinel.SentinelWatch;
import io.holdfast.lock.netty.tls.ClientTls;
import org.jspecify.annotations.Nullable;

/** How a client reaches its Sentinels, with credentials and TLS of their own, and the primary that they name. */
final class SentinelWays implements SentinelWatch.Ways {

    private final ClientConnections connections;
    private final @Nullable ClientTls tls;
    private final Logins logins;
    private final AnnouncedAddresses announced;
    private final NameService names;
    private final ConnectionNews news;
    private final String clientName;
    /** Part of an attempt to connect to the primary: it ends with what became of each Sentinel, rather than with its time. */
    private final long connectTimeoutNanos;

    private final @Nullable ProvidedLogins provided;

    /** @param tls what secures connections to Sentinels; null if they are plain */
    SentinelWays(
            ClientConnections connections,
            @Nullable ClientTls tls,
            ClientOptions options,
            NettyRuntime runtime,
            NameService names,
            ConnectionNews news) {
        this.connections = connections;
        this.names = names;
        this.news = news;
        this.clientName = options.clientName();
        this.connectTimeoutNanos = options.connectTimeout().toNanos() / 4 * 3;
        this.tls = tls;
        this.provided = options.sentinel()
                .credentials()
                .map(provider -> new ProvidedLogins(provider, runtime, runtime.guests(), options.clientName()))
                .orElse(null);
        this.logins = provided == null ? new FixedLogins(null, null) : provided;
        this.announced = new AnnouncedAddresses(
                options.addressMapper(),
                options.connectTimeout().toNanos() / 3,
                runtime.guests(),
                names,
                options.clientName());
    }

    /**
     * What secures connections to Sentinels, read now.
     *
     * @param ofTheServers what secures connections to the servers; null if they are plain
     * @throws IllegalArgumentException if the options name files that can't be used
     */
    static @Nullable ClientTls tls(RedisUri address, ClientOptions options, @Nullable ClientTls ofTheServers) {
        SentinelOptions sentinel = options.sentinel();
        if (sentinel.plain()) {
            return null;
        }
        return sentinel.tls().isPresent()
                ? ClientTls.open(sentinel.tls().get(), options.clientName(), address.seedHost())
                : ofTheServers;
    }

    @Override
    public ConnectionSettings toSentinel(Target.Host sentinel, boolean isSeed) {
        RedisUri server = new RedisUri(sentinel, tls != null, null, null, 0);
        Whereabouts place = isSeed
                ? ClientConnections.whereabouts(sentinel, names, clientName)
                : new AnnouncedWhereabouts(announced, sentinel);
        return connections.settings(server, logins, tls, place, connectTimeoutNanos, news);
    }

    @Override
    public Whereabouts toPrimary(Target.Host primary) {
        return new AnnouncedWhereabouts(announced, primary);
    }

    /** Ends calls into code of the user that are under way. */
    void close() {
        announced.close();
        if (provided != null) {
            provided.close();
        }
    }
}
