package io.holdfast.lock.boot;

import io.holdfast.lock.CredentialsProvider;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where one client connects to.
 *
 * @param url the address, or null for a quorum
 * @param quorumUrls the addresses of a quorum, or none
 * @param credentials who the client is to the servers, where properties do not say it
 * @param sentinelCredentials who it is to the Sentinels, where properties do not say it
 * @param sslBundle what is trusted and shown, where properties do not say it
 */
record Destination(
        @Nullable String url,
        List<String> quorumUrls,
        Optional<CredentialsProvider> credentials,
        Optional<CredentialsProvider> sentinelCredentials,
        Optional<SslBundle> sslBundle) {

    /** The memory of this process. */
    static final Destination MEMORY =
            new Destination(null, List.of(), Optional.empty(), Optional.empty(), Optional.empty());

    static Destination of(HoldfastConnectionDetails details) {
        List<String> quorum = List.copyOf(details.quorumUrls());
        return new Destination(
                quorum.isEmpty() ? details.url() : null,
                quorum,
                details.credentials(),
                details.sentinelCredentials(),
                details.sslBundle());
    }

    /** What the properties of a client say; empty if they name no address. */
    static Optional<Destination> of(ClientProperties client, String room) {
        List<String> urls = client.getUrls();
        boolean several = urls != null && !urls.isEmpty();
        if (several && client.getUrl() != null) {
            throw new HoldfastConfigurationException(
                    room + ".url contradicts " + room + ".urls",
                    "Set one of them: url for one server or its Sentinels, urls for a quorum of independent servers.",
                    null);
        }
        if (!several && client.getUrl() == null) {
            return Optional.empty();
        }
        return Optional.of(new Destination(
                client.getUrl(),
                several ? List.copyOf(urls) : List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    }

    boolean isMemory() {
        return url == null && quorumUrls.isEmpty();
    }

    /** Nothing of it: addresses may hold passwords. */
    @Override
    public String toString() {
        return "Destination";
    }
}
