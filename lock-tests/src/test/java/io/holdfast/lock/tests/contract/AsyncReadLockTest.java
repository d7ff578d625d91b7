package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** Futures of a read lock. */
class AsyncReadLockTest extends ReentrantLockContract implements OnServers {

    AsyncReadLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Reading.KIND);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
