package io.holdfast.lock.tests.support;

import io.holdfast.lock.testkit.ServerClusterBuilder;
import io.holdfast.lock.testkit.TlsMode;

/** The same cluster, whose nodes and clients speak TLS. */
public final class SharedTlsCluster extends SharedServerCluster {

    @Override
    ServerClusterBuilder described() {
        return super.described().tls(TlsMode.SERVER);
    }
}
