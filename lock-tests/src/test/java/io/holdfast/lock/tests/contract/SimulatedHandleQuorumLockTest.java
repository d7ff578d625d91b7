package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;

/** Holds that are their own owners, of a lock on three simulated servers. */
class SimulatedHandleQuorumLockTest extends LockContract implements InSimulation {

    SimulatedHandleQuorumLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 3;
    }
}
