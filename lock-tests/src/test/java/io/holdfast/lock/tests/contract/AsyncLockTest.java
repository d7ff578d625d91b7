package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The asynchronous methods with thread ids. */
class AsyncLockTest extends ReentrantLockContract {

    AsyncLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Site.Kind.SINGLE);
    }
}
