package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods, for a user with the narrower rights. */
class ThreadNarrowUserLockTest extends ReentrantLockContract implements OnServers {

    ThreadNarrowUserLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.NARROW;
    }
}
