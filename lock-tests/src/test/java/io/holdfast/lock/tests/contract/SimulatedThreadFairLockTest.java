package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods of a fair lock, on a simulated server. */
class SimulatedThreadFairLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedThreadFairLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.FAIR);
    }

    @Override
    public int servers() {
        return 1;
    }
}
