package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, over a Unix socket. */
@Tag("proof")
class AsyncUnixSocketLockTest extends ReentrantLockContract implements OnServers {

    AsyncUnixSocketLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SOCKET;
    }
}
