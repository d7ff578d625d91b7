package io.holdfast.lock.boot;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;

/**
 * Where Spring Boot's own details of a Redis connection lead: {@code spring.data.redis.*}, a container of a test, or Docker
 * Compose. Passwords are no part of the address, so they need no escapes.
 */
final class RedisConnectionDetails implements HoldfastConnectionDetails {

    private final DataRedisConnectionDetails details;
    private final boolean tlsByUrl;

    private RedisConnectionDetails(DataRedisConnectionDetails details, boolean tlsByUrl) {
        this.details = details;
        this.tlsByUrl = tlsByUrl;
    }

    /**
     * Of the only ones there are. That {@code spring.data.redis.url} begins with {@code rediss} is no part of them, and Spring Boot's own
     * clients look at that property too.
     */
    static RedisConnectionDetails of(ObjectProvider<DataRedisConnectionDetails> details, Environment environment) {
        String url = environment.getProperty("spring.data.redis.url", "");
        try {
            return new RedisConnectionDetails(details.getObject(), url.startsWith("rediss:"));
        } catch (NoUniqueBeanDefinitionException several) {
            throw Destinations.severalDetails(several);
        }
    }

    @Override
    public String url() {
        DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return scheme("-sentinel") + list(sentinel.getNodes()) + "/" + sentinel.getMaster()
                    + database(sentinel.getDatabase());
        }
        DataRedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            return cluster(cluster);
        }
        DataRedisConnectionDetails.MasterReplica replicas = details.getMasterReplica();
        if (replicas != null) {
            return scheme("-replicas") + list(replicas.getNodes());
        }
        DataRedisConnectionDetails.Standalone server = details.getStandalone();
        if (server != null) {
            return scheme("") + node(server.getHost(), server.getPort()) + database(server.getDatabase());
        }
        throw new HoldfastConfigurationException(
                "the details of the Redis connection name no server",
                "Set holdfast.url, or spring.data.redis.host.",
                null);
    }

    /** Spring Data takes no notice of a database then, and would use number 0. */
    private String cluster(DataRedisConnectionDetails.Cluster cluster) {
        DataRedisConnectionDetails.Standalone server = details.getStandalone();
        int database = server == null ? 0 : server.getDatabase();
        if (database != 0) {
            throw new HoldfastConfigurationException(
                    "the details of the Redis connection name a cluster and database " + database
                            + ", and a cluster has database 0 alone",
                    "Take spring.data.redis.database back, or the database at the end of spring.data.redis.url; or set"
                            + " holdfast.url for the locks.",
                    null);
        }
        return scheme("-cluster") + list(cluster.getNodes());
    }

    @Override
    public Optional<CredentialsProvider> credentials() {
        return credentials(details.getUsername(), details.getPassword());
    }

    @Override
    public Optional<CredentialsProvider> sentinelCredentials() {
        DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        return sentinel == null ? Optional.empty() : credentials(sentinel.getUsername(), sentinel.getPassword());
    }

    @Override
    public Optional<SslBundle> sslBundle() {
        return Optional.ofNullable(details.getSslBundle());
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
        return (tlsByUrl || details.getSslBundle() != null ? "rediss" : "redis") + kind + "://";
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
