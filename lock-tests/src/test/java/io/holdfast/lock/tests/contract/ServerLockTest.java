package io.holdfast.lock.tests.contract;

import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of one server. */
@ParameterizedClass
@EnumSource(names = {"THREAD", "THREAD_FAIR", "ASYNC"})
class ServerLockTest extends ReentrantLockContract implements OnServers {

    ServerLockTest(LockCase lock) {
        super(lock);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
