package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, over a Unix socket. */
@Tag("proof")
class ThreadUnixSocketLockTest extends ReentrantLockContract implements OnServers {

    ThreadUnixSocketLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SOCKET;
    }
}
