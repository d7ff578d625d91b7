package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.simulation.SimulatedGround;
import io.holdfast.lock.tests.simulation.SimulatedWorldExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A contract that is held in a simulated world: the same tests as on real servers, so that what the simulator takes for a
 * lock is one. Nothing is left out. Locks that are made of several clients' locks are not simulated.
 */
@ExtendWith(SimulatedWorldExtension.class)
interface InSimulation {

    /** Of how many servers the locks are made. */
    int servers();

    @BeforeEach
    default void open(SimulatedGround ground) {
        ((LockContract) this).begin(ground.with(servers()));
    }

    @AfterEach
    default void close() throws Exception {
        ((LockContract) this).end();
    }
}
