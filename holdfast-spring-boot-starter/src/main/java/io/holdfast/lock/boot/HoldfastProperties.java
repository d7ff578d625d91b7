package io.holdfast.lock.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * The properties {@code holdfast.*}: those of the client that is injected without a qualifier, and those of all others by their
 * names. An unknown one is refused.
 */
@ConfigurationProperties(prefix = HoldfastProperties.PREFIX, ignoreUnknownFields = false)
class HoldfastProperties extends ClientProperties {

    static final String PREFIX = "holdfast";

    /** Whether there are clients at all. */
    private boolean enabled = true;

    /** Whether all clients keep their locks in the memory of this process, wherever they would connect to: for tests. */
    private boolean memory;

    /** Other clients, by name: injected with the name as the qualifier. Each has the options of the default client. */
    private Map<String, ClientProperties> clients = new LinkedHashMap<>();

    @NestedConfigurationProperty
    private @Nullable LockedProperties locked;

    @NestedConfigurationProperty
    private @Nullable MetricsProperties metrics;

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public boolean isMemory() {
        return memory;
    }

    public void setMemory(boolean memory) {
        this.memory = memory;
    }

    public Map<String, ClientProperties> getClients() {
        return clients;
    }

    public void setClients(Map<String, ClientProperties> clients) {
        this.clients = clients;
    }

    public @Nullable LockedProperties getLocked() {
        return locked;
    }

    public void setLocked(@Nullable LockedProperties locked) {
        this.locked = locked;
    }

    public @Nullable MetricsProperties getMetrics() {
        return metrics;
    }

    public void setMetrics(@Nullable MetricsProperties metrics) {
        this.metrics = metrics;
    }
}
