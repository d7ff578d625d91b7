package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Site;

/** A lock that several owners share, over a majority of three servers. */
@RedisTest(servers = 3)
class SharedQuorumLockTest extends SharedLockContract implements OnServers {

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
