package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** The blocking methods, for a user with the narrower rights. */
@Tag("proof")
class ThreadNarrowUserLockTest extends ReentrantLockContract implements OnServers {

    ThreadNarrowUserLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.NARROW;
    }
}
