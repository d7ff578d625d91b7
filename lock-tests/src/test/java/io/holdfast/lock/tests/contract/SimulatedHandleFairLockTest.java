package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds of a fair lock that are their own owners, on a simulated server. */
@Tag("proof")
class SimulatedHandleFairLockTest extends LockContract implements InSimulation {

    SimulatedHandleFairLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Queued.FAIR);
    }

    @Override
    public int servers() {
        return 1;
    }
}
