package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Futures, on a simulated cluster. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = "ASYNC")
class SimulatedAsyncClusterLockTest extends ReentrantLockContract implements InSimulatedCluster {

    SimulatedAsyncClusterLockTest(LockCase lock) {
        super(lock);
    }
}
