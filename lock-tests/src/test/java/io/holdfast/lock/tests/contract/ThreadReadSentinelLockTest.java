package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Reading;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a read lock, where Sentinels say which server has the locks. */
@Tag("proof")
class ThreadReadSentinelLockTest extends ReentrantLockContract implements OnSentinels {

    ThreadReadSentinelLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Reading.KIND);
    }
}
