package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods with Redisson's keys, over a store in memory. */
@Tag("proof")
class ThreadMemoryRedissonSchemeLockTest extends ReentrantLockContract implements InMemory {

    ThreadMemoryRedissonSchemeLockTest() {
        super(LockForm.THREAD, KeyScheme.REDISSON);
    }
}
