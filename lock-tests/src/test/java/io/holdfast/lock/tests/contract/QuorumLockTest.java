package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks by a client of three servers. */
@RedisTest(servers = 3)
@ParameterizedClass
@EnumSource(names = "THREAD")
class QuorumLockTest extends ReentrantLockContract implements OnServers {

    QuorumLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.QUORUM;
    }
}
