package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds of a read lock that are their own owners, where Sentinels say which server has the locks. */
@Tag("proof")
class HandleReadSentinelLockTest extends LockContract implements OnSentinels {

    HandleReadSentinelLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST, Reading.KIND);
    }
}
