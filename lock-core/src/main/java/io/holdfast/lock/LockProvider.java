package io.holdfast.lock;

import java.util.ServiceLoader;

/**
 * How {@link LockClient} finds the module that can talk to servers. Applications have no use for it; a transport
 * extends it and is found by {@link ServiceLoader}.
 */
public abstract class LockProvider {

    protected LockProvider() {}

    /** Connects to one server. */
    protected abstract LockClient connect(String url, ClientOptions options);

    static LockProvider load() {
        return ServiceLoader.load(LockProvider.class, LockClient.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no lock provider: add lock-netty-client to the class path or the module path"));
    }
}
