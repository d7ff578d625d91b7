package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, on a server in cluster mode. */
@Tag("proof")
@RedisTest(mode = ServerMode.CLUSTER)
class ThreadClusterModeLockTest extends ReentrantLockContract implements OnServers {

    ThreadClusterModeLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
