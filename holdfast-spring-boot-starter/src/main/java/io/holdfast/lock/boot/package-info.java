/**
 * Auto-configuration for Spring Boot. {@code HoldfastProperties} is what is configured, and {@code Destinations} finds where a
 * client connects to: by properties, by {@link io.holdfast.lock.boot.HoldfastConnectionDetails}, or by what Spring Boot knows of a
 * Redis connection. {@code LockClients} makes the clients, and {@code OpenClients} closes them. Around that, each by itself: the
 * health, the endpoint, meters, and the analyzers of failed starts.
 */
@NullMarked
package io.holdfast.lock.boot;

import org.jspecify.annotations.NullMarked;
