package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds as objects, for a user with the narrower rights. */
@Tag("proof")
class HandleNarrowUserLockTest extends LockContract implements OnServers {

    HandleNarrowUserLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.NARROW;
    }
}
