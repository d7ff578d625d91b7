package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.tests.support.ClusterGround;
import io.holdfast.lock.tests.support.SharedServerCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Elections on a cluster. */
@ExtendWith(SharedServerCluster.class)
@Tag("proof")
class ClusterElectionTest extends OrderedElectionContract {

    @BeforeEach
    void open(ServerCluster cluster) {
        begin(new ClusterGround(cluster));
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
