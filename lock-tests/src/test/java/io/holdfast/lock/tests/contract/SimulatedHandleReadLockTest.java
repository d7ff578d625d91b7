package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds of a read lock that are their own owners, on a simulated server. */
@Tag("proof")
class SimulatedHandleReadLockTest extends LockContract implements InSimulation {

    SimulatedHandleReadLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Reading.KIND);
    }

    @Override
    public int servers() {
        return 1;
    }
}
