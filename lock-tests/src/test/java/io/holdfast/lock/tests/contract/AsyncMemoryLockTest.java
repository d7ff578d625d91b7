package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, over a store in memory. */
@Tag("proof")
class AsyncMemoryLockTest extends ReentrantLockContract implements InMemory {

    AsyncMemoryLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }
}
