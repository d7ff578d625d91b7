package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.support.ClusterGround;
import io.holdfast.lock.tests.support.SharedServerCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A contract that is held on a cluster of three masters and three replicas. */
@ExtendWith(SharedServerCluster.class)
interface OnCluster {

    @BeforeEach
    default void open(ServerCluster cluster) {
        ((LockContract) this).begin(new ClusterGround(cluster));
    }

    @AfterEach
    default void close() throws Exception {
        ((LockContract) this).end();
    }
}
