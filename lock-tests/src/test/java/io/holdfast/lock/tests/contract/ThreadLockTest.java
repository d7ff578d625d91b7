package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods. */
class ThreadLockTest extends ReentrantLockContract {

    ThreadLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Site.Kind.SINGLE);
    }
}
