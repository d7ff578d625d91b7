package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a read lock, over a store in memory. */
@Tag("proof")
class ThreadMemoryReadLockTest extends ReentrantLockContract implements InMemory {

    ThreadMemoryReadLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Reading.KIND);
    }
}
