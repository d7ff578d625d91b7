package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, for a user with the narrower rights. */
@Tag("proof")
class AsyncNarrowUserLockTest extends ReentrantLockContract implements OnServers {

    AsyncNarrowUserLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.NARROW;
    }
}
