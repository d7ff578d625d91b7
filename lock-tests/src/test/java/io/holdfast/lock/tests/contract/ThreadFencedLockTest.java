package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a fenced lock. */
@Tag("proof")
class ThreadFencedLockTest extends ReentrantLockContract implements OnServers {

    ThreadFencedLockTest() {
        super(LockForm.FENCED, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.FENCED;
    }
}
