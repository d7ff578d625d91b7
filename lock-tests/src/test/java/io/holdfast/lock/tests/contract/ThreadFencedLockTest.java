package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods of a fenced lock. */
class ThreadFencedLockTest extends ReentrantLockContract implements OnServers {

    ThreadFencedLockTest() {
        super(LockForm.FENCED, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.FENCED;
    }
}
