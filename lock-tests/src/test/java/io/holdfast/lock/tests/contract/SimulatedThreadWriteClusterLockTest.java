package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods of a write lock, on a simulated cluster. */
class SimulatedThreadWriteClusterLockTest extends ReentrantLockContract implements InSimulatedCluster {

    SimulatedThreadWriteClusterLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE);
    }
}
