package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds of a read lock that are their own owners. */
@Tag("proof")
class HandleReadLockTest extends LockContract implements OnServers {

    HandleReadLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Reading.KIND);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
