package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a fenced lock, on the keys of Redisson. */
@Tag("proof")
class ThreadFencedRedissonSchemeLockTest extends ReentrantLockContract implements OnServers {

    ThreadFencedRedissonSchemeLockTest() {
        super(LockForm.FENCED, KeyScheme.REDISSON);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.FENCED;
    }
}
