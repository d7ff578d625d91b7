package io.holdfast.lock.tests.support;

import io.holdfast.lock.testkit.ServerClusterBuilder;
import io.holdfast.lock.testkit.TlsMode;

/** The same cluster, whose nodes and clients speak TLS. */
public final class SharedTlsCluster extends SharedServerCluster {

    @Override
    ServerClusterBuilder described(Class<?> test) {
        return super.described(test).tls(TlsMode.SERVER);
    }
}
