package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds as objects, over a Unix socket. */
@Tag("proof")
class HandleUnixSocketLockTest extends LockContract implements OnServers {

    HandleUnixSocketLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SOCKET;
    }
}
