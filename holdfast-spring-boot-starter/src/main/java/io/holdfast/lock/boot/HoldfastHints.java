package io.holdfast.lock.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What the client finds by name at run time: its scripts, its version, and its transport. */
final class HoldfastHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/holdfast/lock/engine/*.lua");
        hints.resources().registerPattern("META-INF/services/io.holdfast.lock.spi.client.LockProvider");
    }
}
