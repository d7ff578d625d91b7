package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods of a write lock, on three simulated servers. */
class SimulatedThreadWriteQuorumLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedThreadWriteQuorumLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE);
    }

    @Override
    public int servers() {
        return 3;
    }
}
