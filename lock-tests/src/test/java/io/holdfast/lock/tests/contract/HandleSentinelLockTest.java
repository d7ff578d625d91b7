package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** Holds as objects, where Sentinels say which server has the locks. */
@Tag("proof")
class HandleSentinelLockTest extends LockContract implements OnSentinels {

    HandleSentinelLockTest() {
        super(LockForm.HANDLE, KeyScheme.HOLDFAST);
    }
}
