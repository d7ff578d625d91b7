package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.simulation.SimulatedGround;
import io.holdfast.lock.tests.simulation.SimulatedWorldExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a simulated server. */
@ExtendWith(SimulatedWorldExtension.class)
class SimulatedElectionTest extends OrderedElectionContract {

    @BeforeEach
    void open(SimulatedGround ground) {
        begin(ground.with(1));
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
