package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Futures of a fenced lock, on the keys of Redisson. */
@Tag("proof")
class AsyncFencedRedissonSchemeLockTest extends ReentrantLockContract implements OnServers {

    AsyncFencedRedissonSchemeLockTest() {
        super(LockForm.FENCED_ASYNC, KeyScheme.REDISSON);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.FENCED;
    }
}
