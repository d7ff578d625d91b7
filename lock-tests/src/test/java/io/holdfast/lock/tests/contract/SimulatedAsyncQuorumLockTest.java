package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, of a lock on three simulated servers. */
@Tag("proof")
class SimulatedAsyncQuorumLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedAsyncQuorumLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 3;
    }
}
