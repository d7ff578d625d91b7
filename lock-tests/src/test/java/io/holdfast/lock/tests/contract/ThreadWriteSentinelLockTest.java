package io.holdfast.lock.tests.contract;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.support.LockForm;
import org.junit.jupiter.api.Tag;

/** The blocking methods of a write lock, where Sentinels say which server has the locks. */
@Tag("proof")
class ThreadWriteSentinelLockTest extends ReentrantLockContract implements OnSentinels {

    ThreadWriteSentinelLockTest() {
        super(LockForm.THREAD, KeyScheme.HOLDFAST, Queued.WRITE);
    }
}
