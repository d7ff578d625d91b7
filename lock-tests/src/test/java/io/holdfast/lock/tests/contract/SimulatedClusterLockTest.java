package io.holdfast.lock.tests.contract;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks on a simulated cluster. */
@ParameterizedClass
@EnumSource(names = {"THREAD", "THREAD_FAIR", "THREAD_READ", "THREAD_WRITE"})
class SimulatedClusterLockTest extends ReentrantLockContract implements InSimulatedCluster {

    SimulatedClusterLockTest(LockCase lock) {
        super(lock);
    }
}
