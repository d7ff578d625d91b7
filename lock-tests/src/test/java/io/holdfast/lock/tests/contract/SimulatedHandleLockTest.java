package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds that are their own owners, on a simulated server. */
@Tag("proof")
class SimulatedHandleLockTest extends LockContract implements InSimulation {

    SimulatedHandleLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public int servers() {
        return 1;
    }
}
