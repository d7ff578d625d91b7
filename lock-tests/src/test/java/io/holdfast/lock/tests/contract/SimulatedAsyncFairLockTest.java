package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Futures of a fair lock, on a simulated server. */
@Tag("proof")
class SimulatedAsyncFairLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedAsyncFairLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Queued.FAIR);
    }

    @Override
    public int servers() {
        return 1;
    }
}
