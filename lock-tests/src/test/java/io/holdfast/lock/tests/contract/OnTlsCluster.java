package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.support.ClusterGround;
import io.holdfast.lock.tests.support.SharedTlsCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A contract that is held on a cluster of three masters and three replicas, by TLS. */
@ExtendWith(SharedTlsCluster.class)
interface OnTlsCluster {

    @BeforeEach
    default void open(ServerCluster cluster) {
        ((LockContract) this).begin(ClusterGround.secured(cluster));
    }

    @AfterEach
    default void close() throws Exception {
        ((LockContract) this).end();
    }
}
