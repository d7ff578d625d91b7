package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds of a write lock that are their own owners, on a simulated server. */
@Tag("proof")
class SimulatedHandleWriteLockTest extends LockContract implements InSimulation {

    SimulatedHandleWriteLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Queued.WRITE);
    }

    @Override
    public int servers() {
        return 1;
    }
}
