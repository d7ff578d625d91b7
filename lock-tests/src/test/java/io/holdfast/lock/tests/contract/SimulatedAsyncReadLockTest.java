package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Futures of a read lock, on a simulated server. */
@Tag("proof")
class SimulatedAsyncReadLockTest extends ReentrantLockContract implements InSimulation {

    SimulatedAsyncReadLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Reading.KIND);
    }

    @Override
    public int servers() {
        return 1;
    }
}
