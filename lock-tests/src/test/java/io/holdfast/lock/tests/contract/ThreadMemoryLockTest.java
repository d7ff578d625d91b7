package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods, over a store in memory. */
@Tag("proof")
class ThreadMemoryLockTest extends ReentrantLockContract implements InMemory {

    ThreadMemoryLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }
}
