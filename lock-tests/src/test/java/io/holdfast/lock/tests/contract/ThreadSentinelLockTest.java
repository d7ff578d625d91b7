package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods, where Sentinels say which server has the locks. */
@Tag("proof")
class ThreadSentinelLockTest extends ReentrantLockContract implements OnSentinels {

    ThreadSentinelLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST);
    }
}
