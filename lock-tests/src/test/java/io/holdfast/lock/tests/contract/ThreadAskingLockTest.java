package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, of a client that asks the server at each hand-over. */
@Tag("proof")
class ThreadAskingLockTest extends ReentrantLockContract implements OnServers {

    ThreadAskingLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.ASKING;
    }
}
