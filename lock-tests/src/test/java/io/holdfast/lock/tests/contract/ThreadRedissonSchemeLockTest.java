package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, on the keys of Redisson. */
@Tag("proof")
class ThreadRedissonSchemeLockTest extends ReentrantLockContract implements OnServers {

    ThreadRedissonSchemeLockTest() {
        super(LockForm.THREAD, KeyScheme.REDISSON);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
