package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.simulation.SimulatedGround;
import io.holdfast.lock.tests.simulation.SimulatedWorldExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** On three simulated servers. */
@ExtendWith(SimulatedWorldExtension.class)
class SimulatedQuorumElectionTest extends ElectionContract {

    @BeforeEach
    void open(SimulatedGround ground) {
        begin(ground.with(3));
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
