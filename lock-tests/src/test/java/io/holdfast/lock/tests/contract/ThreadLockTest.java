package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods. */
class ThreadLockTest extends ReentrantLockContract implements OnServers {

    ThreadLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
