package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of a server in cluster mode. */
@Tag("proof")
@RedisTest(mode = ServerMode.CLUSTER)
@ParameterizedClass
@EnumSource(names = "THREAD")
class ClusterModeLockTest extends ReentrantLockContract implements OnServers {

    ClusterModeLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
