package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;

/** The blocking methods, by a client of three servers. */
@RedisTest(servers = 3)
class ThreadQuorumLockTest extends ReentrantLockContract implements OnServers {

    ThreadQuorumLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
