package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, on a simulated cluster. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = "HANDLE")
class SimulatedHandleClusterLockTest extends LockContract implements InSimulatedCluster {

    SimulatedHandleClusterLockTest(LockCase lock) {
        super(lock);
    }
}
