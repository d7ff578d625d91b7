package io.holdfast.lock.tests.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that are their own owners, over a store in memory. */
@Tag("proof")
@ParameterizedClass
@EnumSource(names = "HANDLE")
class HandleMemoryLockTest extends LockContract implements InMemory {

    HandleMemoryLockTest(LockCase lock) {
        super(lock);
    }
}
