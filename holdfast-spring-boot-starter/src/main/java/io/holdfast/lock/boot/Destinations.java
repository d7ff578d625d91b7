package io.holdfast.lock.boot;

import io.holdfast.lock.text.Printable;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/** Finds where a client connects to: properties first, then details, of which there must be one. */
final class Destinations {

    private static final String WRITE_ONE =
            "Set %s.url, for example redis://localhost:6379; rediss-sentinel://host:26379/name for Sentinels with TLS.";

    private final HoldfastProperties properties;
    private final ObjectProvider<HoldfastConnectionDetails> details;

    Destinations(HoldfastProperties properties, ObjectProvider<HoldfastConnectionDetails> details) {
        this.properties = properties;
        this.details = details;
    }

    /** Of the client that is injected without a qualifier. */
    Destination ofDefault() {
        return Destination.of(properties, HoldfastProperties.PREFIX).orElseGet(this::ofDetails);
    }

    /** Of a client of {@code holdfast.clients}: details are for the default client. */
    Destination of(String client, ClientProperties named, String room) {
        return Destination.of(named, room)
                .orElseThrow(() -> new HoldfastConfigurationException(
                        "client '" + Printable.of(client) + "' has no address", WRITE_ONE.formatted(room), null));
    }

    private Destination ofDetails() {
        HoldfastConnectionDetails only;
        try {
            only = details.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException several) {
            throw severalDetails(several);
        }
        return Optional.ofNullable(only)
                .map(Destination::of)
                .orElseThrow(() -> new HoldfastConfigurationException(
                        "there is no address for the locks: neither holdfast.url nor connection details",
                        WRITE_ONE.formatted(HoldfastProperties.PREFIX)
                                + " Or add spring-boot-data-redis and set spring.data.redis.host, or declare a bean of"
                                + " HoldfastConnectionDetails, or set holdfast.enabled=false where nothing takes locks.",
                        null));
    }

    static HoldfastConfigurationException severalDetails(NoUniqueBeanDefinitionException several) {
        return new HoldfastConfigurationException(
                "there are several connection details: " + names(several),
                "Keep one of them, mark one as @Primary, or set holdfast.url, which goes before all.",
                several);
    }

    private static String names(NoUniqueBeanDefinitionException several) {
        List<String> names = several.getBeanNamesFound() == null ? List.of() : List.copyOf(several.getBeanNamesFound());
        return Printable.message(String.join(", ", names));
    }
}
