package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Futures of a write lock, on a simulated server. */
@Tag("proof")
class SimulatedAsyncWriteLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedAsyncWriteLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Queued.WRITE);
    }

    @Override
    public int servers() {
        return 1;
    }
}
