package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;

/** The asynchronous methods with thread ids, on a simulated server. */
class SimulatedAsyncLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedAsyncLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 1;
    }
}
