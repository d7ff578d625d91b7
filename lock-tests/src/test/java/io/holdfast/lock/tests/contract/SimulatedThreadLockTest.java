package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods, on a simulated server. */
class SimulatedThreadLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedThreadLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 1;
    }
}
