package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods of a fair lock, on a simulated cluster. */
class SimulatedThreadFairClusterLockTest extends ReentrantLockContract implements InSimulatedCluster {

    SimulatedThreadFairClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.FAIR);
    }
}
