package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds that are their own owners, over a store in memory. */
@Tag("proof")
class HandleMemoryLockTest extends LockContract implements InMemory {

    HandleMemoryLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }
}
