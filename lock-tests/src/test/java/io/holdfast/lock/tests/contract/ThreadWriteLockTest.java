package io.holdfast.lock.tests.contract;

import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods of a write lock. */
class ThreadWriteLockTest extends QueuedLockContract implements OnServers {

    ThreadWriteLockTest() {
        super(LockForm.THREAD, Queued.WRITE);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
