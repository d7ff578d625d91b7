package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, of a lock made of the write locks of three clients. */
@Tag("proof")
@RedisTest(servers = 3)
class ThreadWriteRedLockTest extends ReentrantLockContract implements OnServers {

    ThreadWriteRedLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.COMPOSED;
    }
}
