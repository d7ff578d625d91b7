package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods of a fair lock. */
class ThreadFairLockTest extends ReentrantLockContract implements OnServers {

    ThreadFairLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.FAIR);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
