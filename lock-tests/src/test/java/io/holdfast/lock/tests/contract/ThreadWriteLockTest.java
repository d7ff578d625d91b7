package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a write lock. */
@Tag("proof")
class ThreadWriteLockTest extends ReentrantLockContract implements OnServers {

    ThreadWriteLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
