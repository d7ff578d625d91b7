package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a fair lock, over a store in memory. */
@Tag("proof")
class ThreadMemoryFairLockTest extends ReentrantLockContract implements InMemory {

    ThreadMemoryFairLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.FAIR);
    }
}
