package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Futures of a fair lock. */
@Tag("proof")
class AsyncFairLockTest extends ReentrantLockContract implements OnServers {

    AsyncFairLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST, Queued.FAIR);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
