package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds that are their own owners, of locks that are made of three clients' locks. */
@Tag("long")
@RedisTest(servers = 3)
class HandleRedLockTest extends LockContract implements OnServers {

    HandleRedLockTest() {
        super(LockCase.HANDLE);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.COMPOSED;
    }
}
