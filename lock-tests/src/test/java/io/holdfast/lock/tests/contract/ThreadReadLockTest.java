package io.holdfast.lock.tests.contract;

import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods of a read lock. */
class ThreadReadLockTest extends QueuedLockContract implements OnServers {

    ThreadReadLockTest() {
        super(LockForm.THREAD, Reading.KIND);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
