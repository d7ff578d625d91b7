package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, on a simulated server. */
@Tag("proof")
class SimulatedAsyncLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedAsyncLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 1;
    }
}
