package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods, on a simulated cluster. */
class SimulatedThreadClusterLockTest extends ReentrantLockContract implements InSimulatedCluster {

    SimulatedThreadClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }
}
