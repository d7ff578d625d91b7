package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, on a simulated cluster. */
@Tag("proof")
class SimulatedAsyncClusterLockTest extends ReentrantLockContract implements InSimulatedCluster {

    SimulatedAsyncClusterLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }
}
