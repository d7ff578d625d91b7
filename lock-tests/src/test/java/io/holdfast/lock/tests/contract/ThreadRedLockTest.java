package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, of locks that are made of three clients' locks. */
@Tag("proof")
@RedisTest(servers = 3)
class ThreadRedLockTest extends ReentrantLockContract implements OnServers {

    ThreadRedLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.COMPOSED;
    }
}
