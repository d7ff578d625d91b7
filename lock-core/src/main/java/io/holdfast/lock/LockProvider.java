package io.holdfast.lock;

import java.util.List;
import java.util.ServiceLoader;

/**
 * How {@link LockClient} finds the module that can talk to servers. Applications have no use for it; a transport
 * extends it and is found by {@link ServiceLoader}.
 */
public abstract class LockProvider {

    protected LockProvider() {}

    /** Connects to one server. */
    protected abstract LockClient connect(String url, ClientOptions options);

    /** Connects to several independent servers, of which a majority decides. */
    protected abstract LockClient connectQuorum(List<String> urls, ClientOptions options, QuorumOptions quorum);

    /** Makes one lock of several clients' locks, of which a majority decides. */
    protected abstract RLock redLock(List<RLock> locks, QuorumOptions quorum);

    /** Makes one lock that is held when all of its members are. */
    protected abstract RLock multiLock(List<RLock> locks);

    static LockProvider load() {
        for (LockProvider first : ServiceLoader.load(LockProvider.class, LockClient.class.getClassLoader())) {
            return first;
        }
        throw new IllegalStateException("no lock provider: add lock-netty-client to the class path or the module path");
    }
}
