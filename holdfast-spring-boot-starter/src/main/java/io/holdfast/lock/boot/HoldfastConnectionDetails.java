package io.holdfast.lock.boot;

import io.holdfast.lock.CredentialsProvider;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where the client that is injected without a qualifier connects to, when {@code holdfast.url} and {@code holdfast.urls} do not
 * say it. A bean of this type goes before Spring Boot's own details of a Redis connection.
 */
public interface HoldfastConnectionDetails extends ConnectionDetails {

    /** The address, as {@link io.holdfast.lock.LockClient#connect(String)} takes it. */
    String url();

    /** The addresses of a quorum, one for each independent server; empty where {@link #url} leads to all locks. */
    default List<String> quorumUrls() {
        return List.of();
    }

    /** Who the client is to the servers, where the address does not say it. */
    default Optional<CredentialsProvider> credentials() {
        return Optional.empty();
    }

    /** Who the client is to the Sentinels, where the address names them. */
    default Optional<CredentialsProvider> sentinelCredentials() {
        return Optional.empty();
    }

    /** What is trusted and shown, where the address begins with {@code rediss}. */
    default Optional<SslBundle> sslBundle() {
        return Optional.empty();
    }
}
