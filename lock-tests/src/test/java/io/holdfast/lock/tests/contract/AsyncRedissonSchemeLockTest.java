package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The asynchronous methods with thread ids, on the keys of Redisson. */
class AsyncRedissonSchemeLockTest extends ReentrantLockContract {

    AsyncRedissonSchemeLockTest() {
        super(LockForm.ASYNC, KeyScheme.REDISSON, Site.Kind.SINGLE);
    }
}
