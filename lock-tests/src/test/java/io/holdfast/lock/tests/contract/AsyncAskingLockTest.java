package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The asynchronous methods with thread ids, of a client that asks the server at each hand-over. */
@Tag("proof")
class AsyncAskingLockTest extends ReentrantLockContract implements OnServers {

    AsyncAskingLockTest() {
        super(LockForm.ASYNC, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.ASKING;
    }
}
