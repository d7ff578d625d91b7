package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds that are their own owners, on a simulated cluster. */
@Tag("proof")
class SimulatedHandleClusterLockTest extends LockContract implements InSimulatedCluster {

    SimulatedHandleClusterLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }
}
