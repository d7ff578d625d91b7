package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks over a store in memory. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = {"THREAD", "THREAD_FAIR", "THREAD_READ", "THREAD_WRITE", "THREAD_REDISSON", "ASYNC"})
class MemoryLockTest extends ReentrantLockContract implements InMemory {

    MemoryLockTest(LockCase lock) {
        super(lock);
    }
}
