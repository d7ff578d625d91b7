package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods of a read lock, on a simulated cluster. */
class SimulatedThreadReadClusterLockTest extends ReentrantLockContract implements InSimulatedCluster {

    SimulatedThreadReadClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Reading.KIND);
    }
}
