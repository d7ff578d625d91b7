package io.holdfast.lock.boot.v3;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.boot.HoldfastConnectionDetails;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Node;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where Spring Boot's own details of a Redis connection lead: {@code spring.data.redis.*}, a container of a test, or Docker
 * Compose. Passwords are no part of the address, so they need no escapes.
 */
final class RedisDetails implements HoldfastConnectionDetails {

    private final RedisConnectionDetails details;
    private final boolean tlsByUrl;

    RedisDetails(RedisConnectionDetails details, boolean tlsByUrl) {
        this.details = details;
        this.tlsByUrl = tlsByUrl;
    }

    @Override
    public String url() {
        RedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return scheme("-sentinel") + list(sentinel.getNodes()) + "/" + sentinel.getMaster()
                    + database(sentinel.getDatabase());
        }
        RedisConnectionDetails.Standalone server = details.getStandalone();
        RedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            return cluster(cluster, server == null ? 0 : server.getDatabase());
        }
        if (server == null) {
            throw new IllegalStateException(
                    "the details of the Redis connection name no server: set holdfast.url, or spring.data.redis.host");
        }
        return scheme("") + node(server.getHost(), server.getPort()) + database(server.getDatabase());
    }

    /** Spring Data takes no notice of a database then, and would use number 0. */
    private String cluster(RedisConnectionDetails.Cluster cluster, int database) {
        if (database != 0) {
            throw new IllegalStateException(
                    "the details of the Redis connection name a cluster and database " + database
                            + ", and a cluster has database 0 alone: take spring.data.redis.database back, or set holdfast.url"
                            + " for the locks");
        }
        return scheme("-cluster") + list(cluster.getNodes());
    }

    @Override
    public Optional<CredentialsProvider> credentials() {
        return credentials(details.getUsername(), details.getPassword());
    }

    @Override
    public Optional<CredentialsProvider> sentinelCredentials() {
        RedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        return sentinel == null ? Optional.empty() : credentials(sentinel.getUsername(), sentinel.getPassword());
    }

    @Override
    public Optional<SslBundle> sslBundle() {
        return Optional.ofNullable(bundle());
    }

    private @Nullable SslBundle bundle() {
        if (details.getStandalone() != null && details.getStandalone().getSslBundle() != null) {
            return details.getStandalone().getSslBundle();
        }
        if (details.getSentinel() != null && details.getSentinel().getSslBundle() != null) {
            return details.getSentinel().getSslBundle();
        }
        return details.getCluster() == null ? null : details.getCluster().getSslBundle();
    }

    /** A user without a password is what Spring Data takes for none. */
    private static Optional<CredentialsProvider> credentials(@Nullable String user, @Nullable String password) {
        if (password == null || password.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(CredentialsProvider.of(
                user == null || user.isEmpty() ? Credentials.ofPassword(password) : Credentials.of(user, password)));
    }

    private String scheme(String kind) {
        return (tlsByUrl || bundle() != null ? "rediss" : "redis") + kind + "://";
    }

    private static String list(List<Node> nodes) {
        return String.join(
                ",", nodes.stream().map(node -> node(node.host(), node.port())).toList());
    }

    private static String node(String host, int port) {
        boolean bareIpV6 = host.indexOf(':') >= 0 && !host.startsWith("[");
        return (bareIpV6 ? "[" + host + "]" : host) + ":" + port;
    }

    private static String database(int database) {
        return database == 0 ? "" : "/" + database;
    }
}
