package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;

/** Holds that are their own owners, on a simulated server. */
class SimulatedHandleLockTest extends LockContract implements InSimulation {

    SimulatedHandleLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 1;
    }
}
