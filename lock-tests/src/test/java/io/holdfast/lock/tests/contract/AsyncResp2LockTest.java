package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, in RESP2. */
@Tag("proof")
class AsyncResp2LockTest extends ReentrantLockContract implements OnServers {

    AsyncResp2LockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.RESP2;
    }
}
