package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds of a fair lock that are their own owners, where Sentinels say which server has the locks. */
@Tag("proof")
class HandleFairSentinelLockTest extends LockContract implements OnSentinels {

    HandleFairSentinelLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Queued.FAIR);
    }
}
