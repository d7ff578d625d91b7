package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds that are their own owners, of a lock on three simulated servers. */
@Tag("proof")
class SimulatedHandleQuorumLockTest extends LockContract implements InSimulation {

    SimulatedHandleQuorumLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 3;
    }
}
