package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Futures, by a client of three servers. */
@Tag("proof")
@Tag("long")
@RedisTest(servers = 3)
class AsyncQuorumLockTest extends ReentrantLockContract implements OnServers {

    AsyncQuorumLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
