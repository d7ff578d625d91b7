package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, of a lock made of the read locks of three clients. */
@Tag("proof")
@RedisTest(servers = 3)
class ThreadReadRedLockTest extends ReentrantLockContract implements OnServers {

    ThreadReadRedLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Reading.KIND);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.COMPOSED;
    }
}
