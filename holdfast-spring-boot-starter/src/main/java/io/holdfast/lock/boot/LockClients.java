package io.holdfast.lock.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.TlsOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Makes the clients that the properties describe. */
final class LockClients {

    private final HoldfastProperties properties;
    private final Destinations destinations;
    private final ObjectProvider<SslBundles> bundles;
    private final ObjectProvider<LockListener> listeners;
    private final ObjectProvider<HoldfastClientCustomizer> customizers;
    private final ObjectProvider<ClientWatcher> watchers;
    private final OpenClients open;
    private final String application;

    LockClients(
            HoldfastProperties properties,
            Destinations destinations,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<HoldfastClientCustomizer> customizers,
            ObjectProvider<ClientWatcher> watchers,
            OpenClients open,
            String application) {
        this.properties = properties;
        this.destinations = destinations;
        this.bundles = bundles;
        this.listeners = listeners;
        this.customizers = customizers;
        this.watchers = watchers;
        this.open = open;
        this.application = application;
    }

    /** The client that is injected without a qualifier. */
    LockClient connectDefault() {
        return connect(
                HoldfastClientCustomizer.DEFAULT_CLIENT,
                properties,
                HoldfastProperties.PREFIX,
                properties.isMemory() ? Destination.MEMORY : destinations.ofDefault());
    }

    /** A client of {@code holdfast.clients}. */
    LockClient connect(String name) {
        String room = HoldfastProperties.PREFIX + ".clients." + name;
        ClientProperties named = properties.getClients().get(name);
        if (named == null) {
            throw new HoldfastConfigurationException(
                    "client '" + name + "' is not configured", "Set " + room + ".url.", null);
        }
        if (name.indexOf('/') >= 0) {
            throw new HoldfastConfigurationException(
                    "client '" + name
                            + "': a name with a slash (expected: one without, as a part of its health's path)",
                    "Give it another name.",
                    null);
        }
        return connect(
                name, named, room, properties.isMemory() ? Destination.MEMORY : destinations.of(name, named, room));
    }

    private LockClient connect(String name, ClientProperties client, String room, Destination destination) {
        ClientOptions.Builder options = options(client, room, destination).toBuilder();
        customizers.orderedStream().forEach(customizer -> customizer.customize(name, options));
        LockClient made = open.add(connect(client, room, destination, options.build()));
        try {
            watchers.forEach(watcher -> watcher.connected(made));
        } catch (RuntimeException | Error failure) {
            made.close();
            throw failure;
        }
        return made;
    }

    private static LockClient connect(
            ClientProperties client, String room, Destination destination, ClientOptions options) {
        if (destination.isMemory()) {
            return MemoryClients.connect(options);
        }
        try {
            return connectTo(client, room, destination, options);
        } catch (IllegalArgumentException | UnsupportedOperationException unusable) {
            throw unusable(client, room, unusable);
        } catch (IllegalStateException missing) {
            throw new HoldfastConfigurationException(
                    String.valueOf(missing.getMessage()),
                    "Add what the sentence names to the dependencies, in the version that it names.",
                    missing);
        }
    }

    private static HoldfastConfigurationException unusable(
            ClientProperties client, String room, RuntimeException address) {
        String where = client.getUrl() == null && client.getUrls() == null
                ? "the connection details"
                : "property " + room + (client.getUrl() == null ? ".urls" : ".url");
        return new HoldfastConfigurationException(
                where + ": " + address.getMessage(), "Correct it, or the options that go with it.", address);
    }

    private static LockClient connectTo(
            ClientProperties client, String room, Destination destination, ClientOptions options) {
        QuorumProperties quorum = client.getQuorum();
        if (!destination.quorumUrls().isEmpty()) {
            return LockClient.connectQuorum(
                    destination.quorumUrls(), options, quorum == null ? QuorumOptions.defaults() : quorum.options());
        }
        if (quorum != null) {
            throw new HoldfastConfigurationException(
                    room + ".quorum is of no use to a client of one store",
                    "Set " + room + ".urls to the addresses of independent servers, or take " + room + ".quorum back.",
                    null);
        }
        return LockClient.connect(options);
    }

    private ClientOptions options(ClientProperties client, String room, Destination destination) {
        Map<String, String> texts = destination.isMemory() ? client.textsOfAnyStore() : client.texts();
        ClientOptions told;
        try {
            told = ClientOptions.fromTexts(texts, option -> "property " + room + "." + property(option));
        } catch (IllegalArgumentException unusable) {
            throw new HoldfastConfigurationException(
                    String.valueOf(unusable.getMessage()), "Correct the property, or leave it out.", unusable);
        }
        ClientOptions.Builder options = told.toBuilder();
        if (told.applicationName().isEmpty() && isUsable(application)) {
            options.applicationName(application);
        }
        if (destination.url() != null) {
            try {
                options.address(destination.url());
            } catch (IllegalArgumentException unusable) {
                throw unusable(client, room, unusable);
            }
        }
        if (told.credentials().isEmpty()) {
            destination.credentials().ifPresent(options::credentials);
        }
        if (destination.isMemory()) {
            return heard(options, told).build();
        }
        tls(told.tls(), client.getTls(), destination.sslBundle()).ifPresent(options::tls);
        sentinel(told.sentinel(), client.getSentinel(), destination).ifPresent(options::sentinel);
        return heard(options, told).build();
    }

    /** With the listeners among the beans. */
    private ClientOptions.Builder heard(ClientOptions.Builder options, ClientOptions told) {
        List<LockListener> all = listeners.orderedStream().toList();
        if (!all.isEmpty()) {
            options.lockOptions(told.lockOptions().toBuilder()
                    .listener(LockListener.of(all))
                    .build());
        }
        return options;
    }

    /** The application's name is for other things too: where a client can't have it, the client does without. */
    private static boolean isUsable(String application) {
        try {
            ClientOptions.builder().applicationName(application);
            return true;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    /** A bundle of the properties, or that of the connection details where the properties say nothing of TLS. */
    private Optional<TlsOptions> tls(TlsOptions told, @Nullable TlsProperties tls, Optional<SslBundle> ofDetails) {
        if (tls != null && tls.bundle() != null) {
            return Optional.of(with(bundles.getObject().getBundle(tls.bundle()), told));
        }
        return tls == null ? ofDetails.map(bundle -> with(bundle, told)) : Optional.empty();
    }

    private static TlsOptions with(SslBundle bundle, TlsOptions told) {
        TlsOptions.Builder tls = told.toBuilder().sslContext(bundle.createSslContext());
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            tls.protocols(protocols);
        }
        return tls.build();
    }

    private Optional<SentinelOptions> sentinel(
            SentinelOptions told, @Nullable SentinelProperties sentinel, Destination destination) {
        SentinelOptions.Builder options = told.toBuilder();
        boolean changed = false;
        if (told.credentials().isEmpty() && destination.sentinelCredentials().isPresent()) {
            options.credentials(destination.sentinelCredentials().get());
            changed = true;
        }
        if (sentinel != null && sentinel.tls() != null && sentinel.tls().bundle() != null) {
            options.tls(with(
                    bundles.getObject().getBundle(sentinel.tls().bundle()),
                    told.tls().orElse(TlsOptions.defaults())));
            changed = true;
        }
        return changed ? Optional.of(options.build()) : Optional.empty();
    }

    /** {@code tls.trustStore} as Spring Boot writes it, {@code tls.trust-store}; the address is a URL there. */
    private static String property(String option) {
        return option.equals("address")
                ? "url"
                : option.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
