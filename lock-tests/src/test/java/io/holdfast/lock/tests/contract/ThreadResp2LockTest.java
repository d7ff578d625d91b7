package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, in RESP2. */
@Tag("proof")
class ThreadResp2LockTest extends ReentrantLockContract implements OnServers {

    ThreadResp2LockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.RESP2;
    }
}
