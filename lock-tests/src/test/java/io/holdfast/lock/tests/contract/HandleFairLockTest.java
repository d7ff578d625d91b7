package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import org.junit.jupiter.api.Tag;

/** Holds of a fair lock that are their own owners. */
@Tag("proof")
class HandleFairLockTest extends LockContract implements OnServers {

    HandleFairLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Queued.FAIR);
    }

    @Override
    public Site.Kind kind() {
        return Site.Kind.SINGLE;
    }
}
