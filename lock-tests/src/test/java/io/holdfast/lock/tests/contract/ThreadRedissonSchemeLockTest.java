package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;

/** The blocking methods, on the keys of Redisson. */
class ThreadRedissonSchemeLockTest extends ReentrantLockContract {

    ThreadRedissonSchemeLockTest() {
        super(LockForm.THREAD, KeyScheme.REDISSON);
    }
}
