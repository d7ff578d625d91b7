package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** A lock that several owners share, over a majority of three servers. */
@Tag("proof")
@RedisTest(servers = 3)
class SharedQuorumLockTest extends SharedLockContract implements OnServers {

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
