package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods of a read lock, on three simulated servers. */
class SimulatedThreadReadQuorumLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedThreadReadQuorumLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Reading.KIND);
    }

    @Override
    public int servers() {
        return 3;
    }
}
