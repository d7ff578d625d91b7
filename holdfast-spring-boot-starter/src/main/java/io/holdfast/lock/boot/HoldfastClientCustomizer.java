package io.holdfast.lock.boot;

import io.holdfast.lock.ClientOptions;

/**
 * Has the last word on the options of a client that the starter makes: for those that are code and no text, such as an executor or
 * a provider of credentials. Beans of this type are called in their order.
 */
@FunctionalInterface
public interface HoldfastClientCustomizer {

    /** The name of the client that is injected without a qualifier. */
    String DEFAULT_CLIENT = "";

    /**
     * Changes options of a client before it connects.
     *
     * @param client the name in {@code holdfast.clients}, or {@link #DEFAULT_CLIENT}
     */
    void customize(String client, ClientOptions.Builder options);
}
