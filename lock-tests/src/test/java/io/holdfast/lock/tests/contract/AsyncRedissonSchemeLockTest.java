package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, on the keys of Redisson. */
@Tag("proof")
class AsyncRedissonSchemeLockTest extends ReentrantLockContract implements OnServers {

    AsyncRedissonSchemeLockTest() {
        super(LockForm.ASYNC, KeyScheme.REDISSON);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
