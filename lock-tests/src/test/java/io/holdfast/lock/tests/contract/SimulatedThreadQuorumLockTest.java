package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods, of a lock on three simulated servers. */
class SimulatedThreadQuorumLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedThreadQuorumLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 3;
    }
}
