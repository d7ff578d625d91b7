package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The asynchronous methods with thread ids. */
class AsyncLockTest extends ReentrantLockContract implements OnServers {

    AsyncLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
