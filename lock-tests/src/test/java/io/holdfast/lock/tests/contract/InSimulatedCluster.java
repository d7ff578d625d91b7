package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.simulation.SimulatedGround;
import io.holdfast.lock.tests.simulation.SimulatedWorldExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A contract that is held on a simulated cluster of three primaries, to which the production transport sends calls. */
@ExtendWith(SimulatedWorldExtension.class)
interface InSimulatedCluster {

    @BeforeEach
    default void open(SimulatedGround ground) {
        ((LockContract) this).begin(ground.withCluster());
    }

    @AfterEach
    default void close() throws Exception {
        ((LockContract) this).end();
    }
}
