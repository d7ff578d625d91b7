package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds of a write lock that are their own owners, where Sentinels say which server has the locks. */
@Tag("proof")
class HandleWriteSentinelLockTest extends LockContract implements OnSentinels {

    HandleWriteSentinelLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Queued.WRITE);
    }
}
